// The analytical estimate as an evaluator and as a measurer; nothing runs.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "env/features/analytical_cost.h"
#include "env/gym/evaluators/evaluator.h"
#include "env/measure/measurer.h"

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

// Judges schedules by the analytical estimate; deterministic, needs no data.
class AnalyticalEvaluator : public Evaluator {
 public:
  // The references of all tasks that it will be asked about.
  explicit AnalyticalEvaluator(std::span<const ScheduleState> references,
                               const AnalyticalCostOptions& options = {})
      : speed_(references, options) {}

  std::string Name() const override { return "analytical"; }
  std::vector<EvaluationResult> Ask(std::span<const EpisodeState* const> places) override;
  bool is_shared() const override { return false; }

 private:
  AnalyticalSpeed speed_;
};

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
