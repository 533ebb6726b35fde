#include "agents/schedulers/dynatune/curve_models.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// Largest horizon, as a multiple of the trials so far.
constexpr double kHorizon = 10;

// Returns `most` of `count` indices, evenly spaced, the last included; all if most is 0.
std::vector<size_t> EvenTrials(size_t count, size_t most) {
  std::vector<size_t> trials;
  const size_t kept = most == 0 ? count : std::min(count, most);
  for (size_t i = 1; i <= kept; ++i) trials.push_back(i * count / kept - 1);
  return trials;
}

// Returns a stream for each fit of each task.
Rng StreamOf(uint64_t seed, int task, size_t trials) {
  Rng mixed(seed + static_cast<uint64_t>(task));
  return Rng(mixed.Next() + trials);
}

}  // namespace

CurveModels::CurveModels(const DynatuneOptions& options, std::vector<std::string> tags,
                         uint64_t seed, const StopToken& stop)
    : options_(options),
      tags_(std::move(tags)),
      seed_(seed),
      stop_(stop),
      curve_models_(tags_.size()) {}

// The curves' families require x >= 1.
double CurveModels::Position(double trial) const {
  return options_.log_trials ? 1 + std::log(trial) : trial;
}

void CurveModels::Update(std::span<const TaskCurve> curves, std::span<const int> tasks) {
  SG_CHECK(curves.size() == curve_models_.size(), "a curve of each task");
  for (int task : tasks) {
    const TaskCurve& curve = curves[task];
    TaskCurveModel& curve_model = curve_models_[task];
    const Version version = {std::ssize(curve.best_by_trial), curve.revised_turns};
    if (!curve.best || (curve_model.alone && curve_model.version == version)) continue;
    curve_model.alone = Fit(curve, task, {});
    curve_model.version = version;
    curve_model.told.reset();
  }
  if (!options_.similar) return;
  for (int task : tasks) Tell(curves, task);
}

// Leaves out trials before the first success, which have no speed.
CurveModel CurveModels::Fit(const TaskCurve& curve, int task, const CurvePrior& prior) {
  std::vector<double> x, y;
  const size_t count = curve.best_by_trial.size();
  for (size_t i : EvenTrials(count, static_cast<size_t>(options_.points))) {
    x.push_back(Position(static_cast<double>(i + 1)));
    y.push_back(curve.best_by_trial[i].value_or(0));
  }
  const double horizon = Position(kHorizon * static_cast<double>(count));
  CurveModel curve_model(options_.curve_model, x, y, horizon, prior, StreamOf(seed_, task, count),
                         stop_);
  counts_.fits += curve_model.was_fitted() ? 1 : 0;
  counts_.fallbacks += curve_model.was_fitted() && curve_model.has_fallen_back() ? 1 : 0;
  return curve_model;
}

// Uses the forecasts from each other task's own curve, so that forecasts do not depend on each
// other in a circle.
void CurveModels::Tell(std::span<const TaskCurve> curves, int task) {
  TaskCurveModel& curve_model = curve_models_[task];
  if (!curve_model.alone || curve_model.alone->has_fallen_back() || tags_[task].empty()) return;
  std::vector<std::vector<NormalPrior>> parameters;
  std::vector<Version> others;
  for (size_t other = 0; other < curve_models_.size(); ++other) {
    const std::optional<CurveModel>& alone = curve_models_[other].alone;
    if (static_cast<int>(other) == task || tags_[other] != tags_[task] || !alone) continue;
    others.push_back(curve_models_[other].version);
    const bool is_alike = !alone->has_fallen_back() &&
                          alone->families().front() == options_.curve_model.families.front();
    if (is_alike) parameters.push_back(alone->Parameters());
  }
  if (curve_model.told && curve_model.others == others) return;
  curve_model.told.reset();
  if (!parameters.empty()) curve_model.told = Fit(curves[task], task, SharedPrior(parameters));
  curve_model.others = std::move(others);
}

const CurveModel& CurveModels::Best(int task) const {
  const TaskCurveModel& curve_model = curve_models_[task];
  SG_CHECK(curve_model.alone, "a belief of the task");
  const bool is_told = curve_model.told && !curve_model.told->has_fallen_back();
  return is_told ? *curve_model.told : *curve_model.alone;
}

Forecast CurveModels::After(int task, double trials) const {
  const CurveModel& curve_model = Best(task);
  return curve_model.At(Position(static_cast<double>(curve_models_[task].version.trials) + trials));
}

Forecast CurveModels::Rise(int task, double trials) const {
  const CurveModel& curve_model = Best(task);
  const auto now = static_cast<double>(curve_models_[task].version.trials);
  return curve_model.Rise(Position(now), Position(now + trials));
}

}  // namespace schedulegym
