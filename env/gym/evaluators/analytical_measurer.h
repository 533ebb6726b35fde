// AnalyticalMeasurer: answers as a measurer does, from the analytical estimate; nothing runs.
#pragma once

#include <memory>
#include <vector>

#include "env/gym/evaluators/analytical_speed.h"
#include "env/measure/measurer.h"

namespace schedulegym {

// Searches in which nothing is compiled or timed, and which end the same way each time.
class AnalyticalMeasurer : public Measurer {
 public:
  // The references of all tasks that it will be asked about.
  explicit AnalyticalMeasurer(std::span<const ScheduleState> references,
                              const AnalyticalCostOptions& options = {});

  // Successes, with intervals of one point; their session says that nothing was measured.
  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override;

 private:
  AnalyticalSpeed speed_;
  std::shared_ptr<const MeasuringSession> session_;
};

}  // namespace schedulegym
