#include "agents/schedulers/simulation/simulation.h"

#include <algorithm>

#include "env/base/check.h"

namespace schedulegym {
namespace {

class Play {
 public:
  Play(std::span<const RecordedCurve> recorded, const SimulatedBudget& budget)
      : recorded_(recorded), budget_(budget), curves_(recorded.size()) {
    for (const RecordedCurve& curve : recorded) {
      tasks_.push_back(curve.facts);
      seconds_.push_back(SecondsAfter(curve, std::nullopt));
    }
    AddPoint(0);
  }

  bool IsOver() const {
    return trajectory_.trials >= budget_.trials ||
           (budget_.seconds && trajectory_.seconds >= *budget_.seconds);
  }

  SchedulerView Stand() const {
    std::optional<double> left;
    if (budget_.seconds) left = *budget_.seconds - trajectory_.seconds;
    return {tasks_, curves_, trajectory_.seconds, budget_.trials - trajectory_.trials, left};
  }

  // Adds the scheduler's time before a turn.
  void TakeTime(const FitCounts& fits) {
    trajectory_.seconds += budget_.fit_seconds * static_cast<double>(fits.fits - fits_.fits);
    fits_ = fits;
  }

  void TakeTurn(int task) {
    SG_CHECK(task >= 0 && task < std::ssize(curves_), "a scheduler names one of the tasks");
    TaskCurve& curve = curves_[task];
    SG_CHECK(!curve.finished, "a scheduler names no task that is finished");
    if (curve.turns.size() == recorded_[task].whole.turns.size()) return curve.Finish();
    const int64_t before = curve.trials();
    curve.AddTurnOf(recorded_[task].whole);
    trajectory_.order.push_back(task);
    WatchTrials(task, before);
    trajectory_.seconds += curve.turns.back().seconds;
  }

  Trajectory TakeTrajectory() { return std::move(trajectory_); }

 private:
  // Records the trials of the last turn, each at its end.
  void WatchTrials(int task, int64_t before) {
    const TaskCurve& curve = curves_[task];
    double now = trajectory_.seconds + curve.turns.back().thinking;
    for (int64_t i = before; i < curve.trials(); ++i) {
      now += curve.seconds_by_trial[i];
      if (trajectory_.trials == budget_.trials) return;
      ++trajectory_.trials;
      const std::optional<double>& ratio = curve.best_by_trial[i];
      if (!ratio || (budget_.seconds && now > *budget_.seconds)) continue;
      const BestResult best = {*ratio, curve.turns.back().best->reference};
      const double seconds = SecondsAfter(recorded_[task], best);
      if (seconds == seconds_[task]) continue;
      seconds_[task] = seconds;
      AddPoint(now);
    }
  }

  void AddPoint(double now) {
    double latency = 0;
    for (size_t i = 0; i < tasks_.size(); ++i) latency += tasks_[i].weight() * seconds_[i];
    trajectory_.points.push_back({now, latency});
  }

  std::span<const RecordedCurve> recorded_;
  SimulatedBudget budget_;
  std::vector<ScheduledTask> tasks_;
  std::vector<TaskCurve> curves_;
  std::vector<double> seconds_;  // of each task's best
  FitCounts fits_;               // so far
  Trajectory trajectory_;
};

}  // namespace

double SecondsAfter(const RecordedCurve& curve, const std::optional<BestResult>& best) {
  return best && best->ratio > 1 ? best->seconds() : curve.reference.value_or(0);
}

namespace {

// Returns nullopt if the scheduler names no task or was interrupted.
std::optional<int> Choose(TaskScheduler& scheduler, const SchedulerView& view) {
  try {
    return scheduler.Next(view);
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

}  // namespace

Trajectory Simulate(std::span<const RecordedCurve> curves, const SimulatedBudget& budget,
                    TaskScheduler& scheduler, const std::atomic<bool>* stop) {
  Play play(curves, budget);
  while (!play.IsOver() && !(stop != nullptr && *stop)) {
    const std::optional<int> next = Choose(scheduler, play.Stand());
    play.TakeTime(scheduler.Fits().value_or(FitCounts()));
    if (!next || play.IsOver()) break;
    play.TakeTurn(*next);
  }
  return play.TakeTrajectory();
}

}  // namespace schedulegym
