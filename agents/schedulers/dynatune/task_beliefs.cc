#include "agents/schedulers/dynatune/task_beliefs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

// How far beyond the trials there are anybody asks.
constexpr double kHorizon = 10;

// Of `count` trials, `most` that lie evenly, the last among them; all where most is 0.
std::vector<size_t> EvenTrials(size_t count, size_t most) {
  std::vector<size_t> trials;
  const size_t kept = most == 0 ? count : std::min(count, most);
  for (size_t i = 1; i <= kept; ++i) trials.push_back(i * count / kept - 1);
  return trials;
}

// A stream for each fit of each task.
Rng StreamOf(uint64_t seed, int task, size_t trials) {
  Rng mixed(seed + static_cast<uint64_t>(task));
  return Rng(mixed.Next() + trials);
}

}  // namespace

TaskBeliefs::TaskBeliefs(const DynatuneOptions& options, std::vector<std::string> tags,
                         uint64_t seed, const StopToken& stop)
    : options_(options), tags_(std::move(tags)), seed_(seed), stop_(stop), beliefs_(tags_.size()) {}

// The curves' families are made for x >= 1.
double TaskBeliefs::Position(double trial) const {
  return options_.log_trials ? 1 + std::log(trial) : trial;
}

void TaskBeliefs::Update(std::span<const TaskCurve> curves, std::span<const int> tasks) {
  SG_CHECK(curves.size() == beliefs_.size(), "a curve of each task");
  for (int task : tasks) {
    const TaskCurve& curve = curves[task];
    TaskBelief& belief = beliefs_[task];
    const Version version = {std::ssize(curve.best_by_trial), curve.revised_turns};
    if (!curve.best || (belief.alone && belief.version == version)) continue;
    belief.alone = Fit(curve, task, {});
    belief.version = version;
    belief.told.reset();
  }
  if (!options_.similar) return;
  for (int task : tasks) Tell(curves, task);
}

// No speed before the first success.
CurveBelief TaskBeliefs::Fit(const TaskCurve& curve, int task, const CurvePrior& prior) {
  std::vector<double> x, y;
  const size_t count = curve.best_by_trial.size();
  for (size_t i : EvenTrials(count, static_cast<size_t>(options_.points))) {
    x.push_back(Position(static_cast<double>(i + 1)));
    y.push_back(curve.best_by_trial[i].value_or(0));
  }
  const double horizon = Position(kHorizon * static_cast<double>(count));
  CurveBelief belief(options_.belief, x, y, horizon, prior, StreamOf(seed_, task, count), stop_);
  counts_.fits += belief.was_fitted() ? 1 : 0;
  counts_.fallbacks += belief.was_fitted() && belief.has_fallen_back() ? 1 : 0;
  return belief;
}

// From what each of the others alone lets believe, so that nothing goes in circles.
void TaskBeliefs::Tell(std::span<const TaskCurve> curves, int task) {
  TaskBelief& belief = beliefs_[task];
  if (!belief.alone || belief.alone->has_fallen_back() || tags_[task].empty()) return;
  std::vector<std::vector<NormalPrior>> parameters;
  std::vector<Version> others;
  for (size_t other = 0; other < beliefs_.size(); ++other) {
    const std::optional<CurveBelief>& alone = beliefs_[other].alone;
    if (static_cast<int>(other) == task || tags_[other] != tags_[task] || !alone) continue;
    others.push_back(beliefs_[other].version);
    const bool is_alike =
        !alone->has_fallen_back() && alone->families().front() == options_.belief.families.front();
    if (is_alike) parameters.push_back(alone->Parameters());
  }
  if (belief.told && belief.others == others) return;
  belief.told.reset();
  if (!parameters.empty()) belief.told = Fit(curves[task], task, SharedPrior(parameters));
  belief.others = std::move(others);
}

const CurveBelief& TaskBeliefs::Best(int task) const {
  const TaskBelief& belief = beliefs_[task];
  SG_CHECK(belief.alone, "a belief of the task");
  const bool is_told = belief.told && !belief.told->has_fallen_back();
  return is_told ? *belief.told : *belief.alone;
}

Forecast TaskBeliefs::After(int task, double trials) const {
  const CurveBelief& belief = Best(task);
  return belief.At(Position(static_cast<double>(beliefs_[task].version.trials) + trials));
}

Forecast TaskBeliefs::Rise(int task, double trials) const {
  const CurveBelief& belief = Best(task);
  const auto now = static_cast<double>(beliefs_[task].version.trials);
  return belief.Rise(Position(now), Position(now + trials));
}

}  // namespace schedulegym
