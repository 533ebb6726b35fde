#include "agents/schedulers/curve_slopes.h"

#include <algorithm>
#include <string>

#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/json.h"

namespace schedulegym {
namespace {

// Warm-up turns without a result, as on a busy machine, after which a task counts as dead.
constexpr int kWarmUpTurns = 3;

// Returns the best after each round, in units of the reference's seconds. As published, TVM's
// history begins anew with one entry for all earlier searches (history=one), so that the backward
// slope stays 0 for a task of more than one known round; otherwise each of their rounds has one.
std::vector<std::optional<double>> HistoryOf(const TaskCurve& curve, bool whole,
                                             const std::set<int>& foreseen) {
  std::vector<std::optional<double>> history;
  const auto add = [&](const std::optional<BestResult>& best) {
    history.push_back(best ? std::optional(1 / best->ratio) : std::nullopt);
  };
  if (!whole && curve.known_trials > 0) add(curve.known_best);
  int number = whole ? -curve.known_turns : 0;
  for (const Turn& turn : whole ? std::span(curve.turns) : curve.own_turns()) {
    if (foreseen.contains(number++) && !history.empty()) history.pop_back();
    if (turn.trials > 0) add(turn.best);
  }
  return history;
}

std::vector<std::string> TagsOf(const SchedulerContext& context) {
  std::vector<std::string> tags;
  for (const ScheduledTask& task : context.tasks) tags.push_back(task.tag);
  return tags;
}

std::vector<TaskProgress> ProgressOfTasks(const SchedulerView& view) {
  std::vector<TaskProgress> progress;
  for (size_t i = 0; i < view.curves.size(); ++i) {
    const TaskCurve& curve = view.curves[i];
    progress.push_back({std::nullopt, curve.rounds()});
    if (curve.best) progress.back().speed = view.tasks[i].flops / curve.best->seconds();
  }
  return progress;
}

}  // namespace

double BackwardSlope(std::span<const std::optional<double>> history, int rounds, int window) {
  const int now = rounds - 1, then = now - window;
  if (then < 0 || now >= static_cast<int>(history.size())) return 0;
  if (!history[now] || !history[then]) return 0;
  return (*history[now] - *history[then]) / window;
}

double ForwardSlope(double latency, int rounds, std::optional<double> similar) {
  SG_CHECK(rounds > 0, "a task is warmed up before it has a gradient");
  const double next = latency - latency / rounds;
  return (similar ? std::min(next, *similar) : next) - latency;
}

bool IsDead(const TaskCurve& curve) {
  if (curve.finished) return true;
  if (curve.best || curve.own_rounds() == 0) return false;
  const Turn& last = curve.turns.back();
  if (last.successes() > 0 || curve.revised_turns == std::ssize(curve.turns)) return false;
  return last.failures > last.faults || curve.own_rounds() >= kWarmUpTurns;
}

CurveSlopes::CurveSlopes(const SlopeOptions& options, const SchedulerContext& context)
    : options_(options),
      groups_(TagsOf(context), options.beta),
      turns_seen_(context.tasks.size(), 0) {}

void CurveSlopes::Look(const SchedulerView& view) {
  const std::vector<TaskProgress> progress = ProgressOfTasks(view);
  for (int i = 0; i < static_cast<int>(view.curves.size()); ++i) {
    const int turns = view.curves[i].own_rounds();
    if (turns != turns_seen_[i]) groups_.Reconsider(i, progress);
    turns_seen_[i] = turns;
  }
}

CurveSlope CurveSlopes::Of(const SchedulerView& view, int task,
                           const std::set<int>& foreseen) const {
  const TaskCurve& curve = view.curves[task];
  std::optional<double> similar;
  if (const std::optional<double> speed = groups_.BestSpeed(task, ProgressOfTasks(view))) {
    similar = options_.beta * view.tasks[task].flops / *speed;
  }
  const auto history = HistoryOf(curve, options_.whole_history, foreseen);
  const int rounds = std::max(1, curve.rounds() - static_cast<int>(foreseen.size()));
  return {curve.best->reference * BackwardSlope(history, rounds, options_.window),
          ForwardSlope(curve.best->seconds(), rounds, similar)};
}

std::string CurveSlopes::State() const {
  std::vector<bool> alone;
  for (int i = 0; i < std::ssize(turns_seen_); ++i) alone.push_back(groups_.IsAlone(i));
  return Json::Object({{"alone", alone}, {"turns", turns_seen_}}).ToText();
}

void CurveSlopes::Restore(const std::string& state) {
  const Json json = ParseJson(state).value();
  const auto alone = json["alone"].As<std::vector<bool>>();
  const auto turns = json["turns"].As<std::vector<int>>();
  if (alone.size() != turns_seen_.size() || turns.size() != turns_seen_.size()) {
    throw InputError("found the turns of " + std::to_string(turns.size()) +
                     " tasks, expected those of " + std::to_string(turns_seen_.size()));
  }
  turns_seen_ = turns;
  for (int i = 0; i < std::ssize(turns_seen_); ++i) {
    if (alone[i]) groups_.Leave(i);
  }
}

}  // namespace schedulegym
