#include "agents/schedulers/simulation/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agents/schedulers/simulation/made_curves.h"
#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

// Returns the given tasks, and keeps the views that it receives.
class ToldScheduler : public TaskScheduler {
 public:
  explicit ToldScheduler(std::vector<int> tasks) : tasks_(std::move(tasks)) {}

  std::optional<int> Next(const SchedulerView& view) override {
    times.push_back(view.now);
    trials_left.push_back(view.trials_left);
    seconds_left.push_back(view.seconds_left);
    finished.push_back(view.curves[0].finished);
    if (on_next) on_next();
    if (next_ == tasks_.size()) return std::nullopt;
    return tasks_[next_++];
  }

  std::optional<FitCounts> Fits() const override { return fits; }

  std::vector<double> times;
  std::optional<FitCounts> fits;
  std::vector<int64_t> trials_left;
  std::vector<std::optional<double>> seconds_left;
  std::vector<bool> finished;
  std::function<void()> on_next;

 private:
  std::vector<int> tasks_;
  size_t next_ = 0;
};

std::vector<RecordedCurve> TwoTasks() {
  return {MadeCurve("a", 3, {{1, 2}, {1, 4}}), MadeCurve("b", 1, {{2, std::nullopt}, {2, 5}})};
}

TEST(SimulationTest, PlaysTheTurnsThatWereRecorded) {
  ToldScheduler scheduler({1, 0, 1, 0});
  const Trajectory trajectory = Simulate(TwoTasks(), {}, scheduler);
  EXPECT_THAT(trajectory.order, ElementsAre(1, 0, 1, 0));
  // 3 + 1 with the references alone; each result counts from its trial's end on.
  EXPECT_THAT(trajectory.points,
              ElementsAre(TrajectoryPoint{0, 4}, TrajectoryPoint{3, 3.0 / 2 + 1},
                          TrajectoryPoint{5, 3.0 / 2 + 0.2}, TrajectoryPoint{6, 3.0 / 4 + 0.2}));
  EXPECT_EQ(trajectory.seconds, 6);
  EXPECT_EQ(trajectory.trials, 4);
  EXPECT_THAT(scheduler.times, ElementsAre(0, 2, 3, 5, 6));
}

TEST(SimulationTest, ATaskWithNothingRecordedIsFinished) {
  ToldScheduler scheduler({0, 0, 0, 1});
  const Trajectory trajectory = Simulate(TwoTasks(), {}, scheduler);
  EXPECT_THAT(trajectory.order, ElementsAre(0, 0, 1)) << "to find that out takes no time";
  EXPECT_THAT(scheduler.finished, ElementsAre(false, false, false, true, true));
}

TEST(SimulationTest, TrialsOfATurnComeAfterItsThinking) {
  RecordedCurve curve;
  curve.reference = 8;
  Turn turn = {.trials = 3, .failures = 1, .thinking = 5, .seconds = 12};
  turn.best = BestResult{4, 8};
  curve.whole.turns = {turn};
  curve.whole.seconds_by_trial = {1, 2, 3};
  curve.whole.best_by_trial = {2, 2, 4};
  ToldScheduler scheduler({0});
  const std::vector<RecordedCurve> curves = {curve};
  const Trajectory trajectory = Simulate(curves, {}, scheduler);
  EXPECT_THAT(trajectory.points,
              ElementsAre(TrajectoryPoint{0, 8}, TrajectoryPoint{6, 4}, TrajectoryPoint{11, 2}));
  EXPECT_EQ(trajectory.seconds, 12);
  EXPECT_EQ(trajectory.trials, 3);
}

TEST(SimulationTest, WhatIsFoundBeyondABudgetDoesNotCount) {
  ToldScheduler seconds({0, 1, 0});
  Trajectory trajectory = Simulate(TwoTasks(), {.seconds = 2.5}, seconds);
  EXPECT_THAT(trajectory.order, ElementsAre(0, 1));
  EXPECT_EQ(trajectory.latency(), 3.0 / 2 + 1);
  EXPECT_THAT(seconds.seconds_left, ElementsAre(2.5, 1.5));
  ToldScheduler trials({0, 0, 1});
  trajectory = Simulate(TwoTasks(), {.trials = 1}, trials);
  EXPECT_THAT(trajectory.order, ElementsAre(0));
  EXPECT_THAT(trials.trials_left, ElementsAre(1));
  EXPECT_EQ(trials.seconds_left[0], std::nullopt);
}

TEST(SimulationTest, TheReferenceStandsWhileNothingIsFaster) {
  ToldScheduler scheduler({0, 0});
  const std::vector<RecordedCurve> curves = {MadeCurve("a", 1, {{1, 0.5}, {1, 2}})};
  EXPECT_THAT(Simulate(curves, {}, scheduler).points,
              ElementsAre(TrajectoryPoint{0, 1}, TrajectoryPoint{2, 0.5}));
}

TEST(SimulationTest, ATaskWithoutASuccessHasNoLatency) {
  std::vector<RecordedCurve> curves = {
      MadeCurve("a", 3, {{1, 2}}), MadeCurve("never", 5, {{2, std::nullopt}, {2, std::nullopt}})};
  curves[1].reference.reset();
  ToldScheduler scheduler({1, 0, 1});
  const Trajectory trajectory = Simulate(curves, {}, scheduler);
  EXPECT_THAT(trajectory.points, ElementsAre(TrajectoryPoint{0, 3}, TrajectoryPoint{3, 1.5}));
  EXPECT_EQ(trajectory.seconds, 5);
}

TEST(SimulationTest, AStopEndsItBetweenTurns) {
  std::atomic<bool> stop = false;
  ToldScheduler scheduler({0, 0, 1});
  scheduler.on_next = [&] { stop = scheduler.times.size() == 2; };
  EXPECT_THAT(Simulate(TwoTasks(), {}, scheduler, &stop).order, ElementsAre(0, 0));
}

TEST(SimulationTest, ASchedulerThatNamesAFinishedTaskIsABug) {
  ToldScheduler finished({0, 0, 0, 0}), unknown({2});
  EXPECT_THROW(Simulate(TwoTasks(), {}, finished), std::logic_error);
  EXPECT_THROW(Simulate(TwoTasks(), {}, unknown), std::logic_error);
}

TEST(SimulationTest, FitsOfTheSchedulerMayTakeTime) {
  ToldScheduler scheduler({1, 0, 1, 0});
  scheduler.fits = FitCounts();
  scheduler.on_next = [&] { scheduler.fits->fits += scheduler.times.size() == 2 ? 3 : 0; };
  Trajectory trajectory = Simulate(TwoTasks(), {.fit_seconds = 0.5}, scheduler);
  EXPECT_THAT(scheduler.times, ElementsAre(0, 2, 4.5, 6.5, 7.5)) << "three before the second turn";
  EXPECT_EQ(trajectory.seconds, 7.5);
  EXPECT_THAT(
      trajectory.points,
      ElementsAre(TrajectoryPoint{0, 4}, TrajectoryPoint{4.5, 3.0 / 2 + 1},
                  TrajectoryPoint{6.5, 3.0 / 2 + 0.2}, TrajectoryPoint{7.5, 3.0 / 4 + 0.2}));
  ToldScheduler late({1, 0});
  late.fits = FitCounts();
  late.on_next = [&] { ++late.fits->fits; };
  trajectory = Simulate(TwoTasks(), {.seconds = 4, .fit_seconds = 2}, late);
  EXPECT_THAT(trajectory.order, ElementsAre(1)) << "the second choice ends beyond the budget";
}

TEST(SimulationTest, AnInterruptedChoiceEndsIt) {
  ToldScheduler scheduler({0, 0, 1});
  scheduler.on_next = [&] {
    if (scheduler.times.size() == 2) throw Interrupted();
  };
  EXPECT_THAT(Simulate(TwoTasks(), {}, scheduler).order, ElementsAre(0));
}

}  // namespace
}  // namespace schedulegym
