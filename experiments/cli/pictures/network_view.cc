#include "experiments/cli/pictures/network_view.h"

#include <algorithm>
#include <utility>

#include "agents/schedulers/dynatune/dynatune_options.h"
#include "agents/schedulers/dynatune/task_beliefs.h"

namespace schedulegym {
namespace {

DynatuneOptions BeliefsOf(const Spec& scheduler) {
  return scheduler.name == "dynatune" ? ReadDynatuneOptions(scheduler) : DynatuneOptions();
}

std::vector<double> SpeedsOf(const TaskCurve& curve, size_t first) {
  std::vector<double> speeds;
  for (size_t i = first; i < curve.best_by_trial.size(); ++i) {
    speeds.push_back(curve.best_by_trial[i].value_or(0));
  }
  return speeds;
}

double LatencyOf(const SearchedTask& task) {
  return task.curve.best ? task.scheduled.weight() * task.curve.best->seconds() : 0;
}

// From the first trial to twice as many as there are.
std::vector<Extrapolation> ExtrapolationOf(const TaskBeliefs& beliefs, int task, double trials) {
  constexpr int kPoints = 40;
  std::vector<Extrapolation> points;
  if (beliefs.HasFallenBack(task)) return points;
  for (int i = 0; i <= kPoints; ++i) {
    const double trial = 1 + (2 * trials - 1) * i / kPoints;
    const Forecast prediction = beliefs.After(task, trial - trials);
    points.push_back({trial, prediction.mean, prediction.deviation});
  }
  return points;
}

}  // namespace

std::vector<PicturedTask> PicturedTasksOf(std::span<const SearchedTask> tasks,
                                          const Spec& scheduler, uint64_t seed,
                                          const StopToken& stop) {
  std::vector<std::string> tags;
  std::vector<TaskCurve> curves;
  std::vector<int> known;
  double latency = 0;
  for (const SearchedTask& task : tasks) {
    if (task.curve.best) known.push_back(static_cast<int>(tags.size()));
    tags.push_back(task.scheduled.tag);
    curves.push_back(task.curve);
    latency += LatencyOf(task);
  }
  TaskBeliefs beliefs(BeliefsOf(scheduler), std::move(tags), seed, stop);
  try {
    beliefs.Update(curves, known);
  } catch (const Interrupted&) {
    known.clear();
  }
  std::vector<PicturedTask> pictured;
  for (const SearchedTask& task : tasks) {
    PicturedTask& each = pictured.emplace_back();
    each.name = task.name;
    each.share = latency > 0 ? LatencyOf(task) / latency : 0;
    each.speeds = SpeedsOf(task.curve, 0);
  }
  for (int task : known) {
    pictured[task].extrapolation =
        ExtrapolationOf(beliefs, task, static_cast<double>(pictured[task].speeds.size()));
  }
  return pictured;
}

std::vector<PicturedTask> PicturedTasksOf(std::span<const RecordedCurve> curves,
                                          std::span<const int> order, const Spec& scheduler,
                                          uint64_t seed, const StopToken& stop) {
  std::vector<SearchedTask> seen;
  for (const RecordedCurve& curve : curves) seen.push_back({curve.task, curve.facts, {}});
  for (int task : order) seen[task].curve.AddTurnOf(curves[task].whole);
  std::vector<PicturedTask> pictured = PicturedTasksOf(seen, scheduler, seed, stop);
  for (size_t i = 0; i < curves.size(); ++i) {
    pictured[i].further = SpeedsOf(curves[i].whole, pictured[i].speeds.size());
  }
  return pictured;
}

}  // namespace schedulegym
