// AnalyticalSpeed: how fast schedules are beside their tasks' references, by the analytical
// estimate.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "env/features/analytical_cost.h"

namespace schedulegym {

// Deterministic. Threads may ask at once.
class AnalyticalSpeed {
 public:
  // The references of all tasks that it will be asked about.
  explicit AnalyticalSpeed(std::span<const ScheduleState> references,
                           const AnalyticalCostOptions& options = {});

  struct Answer {
    double seconds = 0;
    double speed = 1;  // the reference's seconds over these
  };
  Answer Of(const ScheduleState& state) const;

 private:
  AnalyticalCostOptions options_;
  // By the task as it is shared: keys cost more than estimates.
  std::map<const Task*, double> references_;
  std::vector<std::shared_ptr<const Task>> tasks_;
};

}  // namespace schedulegym
