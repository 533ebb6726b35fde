// Compares schedulers on recorded curves. Each runs in simulated time; the oracle reads the curves
// and takes the task with the most latency saved a second, over all ends of its remaining turns.
// Figures of a run:
//   area = mean over time of log latency, less the oracle's;   seconds to 95 and 98 % of the best
// Means over problems have normal intervals, mean +- 1.96 s / sqrt n.
// Cost: one decision a turn; the oracle O(tasks * turns left).
#include "agents/schedulers/simulation/comparison.h"

#include <algorithm>
#include <cmath>

#include "env/base/check.h"

namespace schedulegym {
namespace {

bool IsSet(const std::atomic<bool>* stop) { return stop != nullptr && *stop; }

// Only measurements take simulated time.
ComparedRun RunOne(const Problem& problem, const Spec& spec, uint64_t seed, const Clock& clock,
                   const std::atomic<bool>* stop) {
  const auto scheduler = MakeTaskScheduler(spec, problem.Context(seed, StopToken(stop)));
  const double begin = clock.Now();
  ComparedRun run;
  run.trajectory = Simulate(problem.curves, problem.budget, *scheduler, stop);
  run.deciding = clock.Now() - begin;
  run.fits = scheduler->Fits();
  return run;
}

void Measure(const Comparison& comparison, ComparedRun& run) {
  run.area = MeanLogLatency(run.trajectory, comparison.horizon) -
             MeanLogLatency(comparison.oracle, comparison.horizon);
  run.to_95 = SecondsTo(run.trajectory, comparison.best_latency / 0.95);
  run.to_98 = SecondsTo(run.trajectory, comparison.best_latency / 0.98);
  for (const ComparedRun& other : comparison.runs) {
    run.to_final.push_back(SecondsTo(run.trajectory, other.trajectory.latency()));
  }
}

class Oracle : public TaskScheduler {
 public:
  explicit Oracle(std::span<const RecordedCurve> curves) : recorded_(curves) {}

  std::optional<int> Next(const SchedulerView& view) override {
    std::optional<int> next;
    double most = 0;
    for (int i = 0; i < static_cast<int>(recorded_.size()); ++i) {
      const double rate = BestRate(view, i);
      if (rate <= most) continue;
      most = rate;
      next = i;
    }
    return next;
  }

 private:
  // Returns the most seconds of latency that a second of the task saves.
  double BestRate(const SchedulerView& view, int task) const {
    const RecordedCurve& recorded = recorded_[task];
    const TaskCurve& curve = view.curves[task];
    const double now = SecondsAfter(recorded, curve.best);
    double best = 0, took = 0;
    int64_t trials = 0;
    for (size_t i = curve.turns.size(); i < recorded.whole.turns.size(); ++i) {
      const Turn& turn = recorded.whole.turns[i];
      took += turn.seconds;
      trials += turn.trials;
      const bool fits = trials <= view.trials_left && took <= view.seconds_left.value_or(took);
      if (!fits) break;
      const double saved = now - SecondsAfter(recorded, turn.best);
      if (saved > 0) best = std::max(best, view.tasks[task].weight() * saved / took);
    }
    return best;
  }

  std::span<const RecordedCurve> recorded_;
};

}  // namespace

std::optional<Comparison> Compare(const Problem& problem, std::span<const Spec> schedulers,
                                  uint64_t seed, const Clock& clock,
                                  const std::atomic<bool>* stop) {
  Comparison comparison;
  const auto oracle = MakeOracle(problem.curves);
  comparison.oracle = Simulate(problem.curves, problem.budget, *oracle, stop);
  comparison.best_latency = comparison.oracle.latency();
  comparison.horizon = problem.budget.seconds.value_or(comparison.oracle.seconds);
  for (const Spec& spec : schedulers) {
    const ComparedRun& run = comparison.runs.emplace_back(RunOne(problem, spec, seed, clock, stop));
    if (IsSet(stop)) return std::nullopt;
    comparison.best_latency = std::min(comparison.best_latency, run.trajectory.latency());
    if (!problem.budget.seconds) {
      comparison.horizon = std::max(comparison.horizon, run.trajectory.seconds);
    }
  }
  for (ComparedRun& run : comparison.runs) Measure(comparison, run);
  return comparison;
}

double MeanLogLatency(const Trajectory& trajectory, double horizon) {
  SG_CHECK(horizon > 0, "a course takes time");
  double area = 0;
  for (size_t i = 0; i < trajectory.points.size(); ++i) {
    const bool is_last = i + 1 == trajectory.points.size();
    const double begin = std::min(trajectory.points[i].seconds, horizon);
    const double end = is_last ? horizon : std::min(trajectory.points[i + 1].seconds, horizon);
    area += (end - begin) * std::log(trajectory.points[i].latency);
  }
  return area / horizon;
}

std::optional<double> SecondsTo(const Trajectory& trajectory, double latency) {
  for (const TrajectoryPoint& point : trajectory.points) {
    if (point.latency <= latency) return point.seconds;
  }
  return std::nullopt;
}

MeanInterval MeanOf(std::span<const double> values) {
  SG_CHECK(!values.empty(), "a mean is of something");
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (double value : values) sum += value;
  const double mean = sum / count;
  for (double value : values) squares += (value - mean) * (value - mean);
  constexpr double kNormal95 = 1.959964;
  const double width = count > 1 ? kNormal95 * std::sqrt(squares / (count - 1) / count) : 0;
  return {mean, mean - width, mean + width};
}

std::unique_ptr<TaskScheduler> MakeOracle(std::span<const RecordedCurve> curves) {
  return std::make_unique<Oracle>(curves);
}

}  // namespace schedulegym
