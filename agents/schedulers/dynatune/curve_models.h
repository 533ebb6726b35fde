// CurveModels: forecasts for each task of a search.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agents/schedulers/dynatune/curve_model.h"
#include "agents/schedulers/dynatune/dynatune.h"
#include "agents/task_scheduler.h"

namespace schedulegym {

// Forecasts are functions of the curves, the options and a seed: equal curves give equal forecasts,
// with or without a pause.
class CurveModels {
 public:
  // `tags`: equal where tasks are alike, "" of one that is like no other.
  CurveModels(const DynatuneOptions& options, std::vector<std::string> tags, uint64_t seed,
              const StopToken& stop = {});

  // Fits the models of changed tasks with a success. Throws Interrupted where `stop` is set
  // meanwhile; finished fits are kept.
  void Update(std::span<const TaskCurve> curves, std::span<const int> tasks);

  // Of a task that Update has seen: how many times as fast as its reference it will be after so
  // many more trials.
  Forecast After(int task, double trials) const;

  // How much that is more than its curve is now.
  Forecast Rise(int task, double trials) const;

  // Whether no curve fits it: then nothing is expected to change.
  bool HasFallenBack(int task) const { return Best(task).has_fallen_back(); }
  // False where it has too few trials for a curve.
  bool WasFitted(int task) const { return Best(task).was_fitted(); }

  FitCounts counts() const { return counts_; }

 private:
  // The inputs of a fit, to see whether it is up to date.
  struct Version {
    int64_t trials = 0;
    int64_t revised_turns = 0;

    bool operator==(const Version&) const = default;
  };
  struct TaskCurveModel {
    Version version;
    std::optional<CurveModel> alone;
    std::vector<Version> others;     // similar tasks' versions that `told` knows of
    std::optional<CurveModel> told;  // by them
  };

  double Position(double trial) const;
  CurveModel Fit(const TaskCurve& curve, int task, const CurvePrior& prior);
  const CurveModel& Best(int task) const;
  void Tell(std::span<const TaskCurve> curves, int task);

  DynatuneOptions options_;
  std::vector<std::string> tags_;
  uint64_t seed_;
  StopToken stop_;
  std::vector<TaskCurveModel> curve_models_;
  FitCounts counts_;
};

}  // namespace schedulegym
