// AnalyticalMeasurer: the analytical estimate in place of a machine; nothing runs.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "env/features/analytical_cost.h"
#include "env/measure/measurer.h"

namespace schedulegym {

// Deterministic and without training data: equal searches have equal results. Thread-safe.
class AnalyticalMeasurer : public Measurer {
 public:
  // The references of all tasks that it will measure.
  explicit AnalyticalMeasurer(std::span<const ScheduleState> references,
                              const AnalyticalCostOptions& options = {});

  // All succeed, with intervals of one point; the session is marked as not measured.
  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;

 private:
  double ReferenceSeconds(const Task& task) const;

  AnalyticalCostOptions options_;
  // By the task as it is shared: keys cost more than estimates.
  std::map<const Task*, double> references_;
  std::vector<std::shared_ptr<const Task>> tasks_;
  std::shared_ptr<const MeasuringSession> session_;  // of all tasks: they have one target
};

}  // namespace schedulegym
