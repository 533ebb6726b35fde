#include "agents/tuner/search_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "tests/agents/tuner/tuner_fixture.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

class SearchRunTest : public TunerFixture {
 protected:
  std::vector<TunerTask> tasks_ = TasksOf({97, 61});
  DealingAgent agent_ = AgentOf(tasks_);
  std::unique_ptr<TaskScheduler> made_ =
      MakeTaskScheduler(ParseSpec(scheduler_).value(), {.tasks = {{}, {}}});
  TunerParts parts_{measurer_, *store_, *made_, witness_, clock_, calendar_};
};

TEST_F(SearchRunTest, NothingHappensBetweenTurns) {
  SearchRun search(tasks_, {agent_}, options_, parts_);
  search.Start();
  EXPECT_THAT(witness_.starts, ElementsAre("vector97", "vector61"));
  EXPECT_EQ(search.trials(), 0);
  EXPECT_TRUE(search.TakeTurn());
  EXPECT_EQ(search.trials(), 8);
  EXPECT_TRUE(search.TakeTurn());
  EXPECT_THAT(witness_.turns, ElementsAre(0, 1));
  EXPECT_EQ(search.runs()[1].done.trials, 8);
  EXPECT_EQ(search.Elapsed(), 16);
  EXPECT_TRUE(witness_.dones.empty());
}

// After a whole turn of eight trials.
TEST_F(SearchRunTest, WhereTimeIsShortEachTaskComesToALatency) {
  options_.request.trials = 1000;
  options_.request.seconds = 20.5;
  std::vector<int64_t> trials;
  for (const DoneEvent& done : Run({97, 61, 64, 48})) trials.push_back(done.trials);
  EXPECT_THAT(trials, ElementsAre(8, 4, 4, 4));
}

// Returns the tasks in turn, with a reason.
class SayingScheduler : public TaskScheduler {
 public:
  std::optional<int> Next(const SchedulerView&) override { return turns_++ % 2; }
  std::string Why(int task) const override { return "it is " + std::to_string(task) + "'s turn"; }

 private:
  int turns_ = 0;
};

TEST_F(SearchRunTest, ATurnSaysWhyItsTaskWasChosen) {
  SayingScheduler scheduler;
  const TunerParts parts{measurer_, *store_, scheduler, witness_, clock_, calendar_};
  SearchRun search(tasks_, {agent_}, options_, parts);
  search.Start();
  search.TakeTurn();
  search.TakeTurn();
  EXPECT_THAT(witness_.whys, ElementsAre("it is 0's turn", "it is 1's turn"));
  search.BeginTurn(0);
  EXPECT_EQ(witness_.whys.back(), "") << "no scheduler chose it";
}

TEST_F(SearchRunTest, ATurnKeepsToTheLimit) {
  SearchRun search(tasks_, {agent_}, options_, parts_);
  search.Start();
  EXPECT_EQ(search.ReasonToStop(), std::nullopt);
  search.Limit(10, std::nullopt);
  search.TakeTurn();
  search.TakeTurn();
  EXPECT_EQ(search.trials(), 10);
  EXPECT_EQ(search.ReasonToStop(), StopReason::kTrials);
  search.Limit(20, 10);
  EXPECT_EQ(search.ReasonToStop(), StopReason::kSeconds);
  search.Limit(20, 11);
  EXPECT_EQ(search.ReasonToStop(), std::nullopt);
}

TEST_F(SearchRunTest, NoTurnWhereTheSchedulerNamesNone) {
  const std::vector<TunerTask> tasks = TasksOf({1, 1});
  DealingAgent agent = AgentOf(tasks);
  SearchRun search(tasks, {agent}, options_, parts_);
  search.Start();
  // One candidate each, then none.
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(search.TakeTurn());
  EXPECT_FALSE(search.TakeTurn());
  EXPECT_EQ(measurer_.count, 2);
  EXPECT_THAT(witness_.turns, ElementsAre(0, 1, 0, 1));
}

TEST_F(SearchRunTest, ATaskWithNothingLeftIsFinished) {
  const std::vector<TunerTask> tasks = TasksOf({1, 97});
  DealingAgent agent = AgentOf(tasks);
  SearchRun search(tasks, {agent}, options_, parts_);
  search.Start();
  for (int i = 0; i < 4; ++i) search.TakeTurn();
  EXPECT_THAT(witness_.turns, ElementsAre(0, 1, 0, 1));
  search.TakeTurn();
  EXPECT_EQ(witness_.turns.back(), 1);
  EXPECT_EQ(search.runs()[0].done.stopped, StopReason::kExhausted);
  EXPECT_TRUE(search.curve(0).finished);
  EXPECT_FALSE(search.curve(1).finished);
}

TEST_F(SearchRunTest, KeepsACurveOfEachTask) {
  measurer_.script = [](int trial) {
    return trial == 0 ? Failure(Outcome::kWrongOutput) : Success(trial == 3 ? 5 : 2);
  };
  tasks_[1].scheduled.counts = {3, 4};
  SearchRun search(tasks_, {agent_}, options_, parts_);
  search.Limit(12, 100);
  search.Start();
  search.TakeTurn();
  const TaskCurve& curve = search.curve(0);
  ASSERT_EQ(curve.turns.size(), 1u);
  EXPECT_EQ(curve.turns[0].trials, 8);
  EXPECT_EQ(curve.turns[0].failures, 1);
  EXPECT_EQ(curve.turns[0].seconds, 8);
  EXPECT_EQ(curve.best->ratio, 5);
  EXPECT_EQ(curve.trials_since_gain(), 4);
  const SchedulerView view = search.Stand();
  EXPECT_EQ(view.now, 8);
  EXPECT_EQ(view.trials_left, 4);
  EXPECT_EQ(view.seconds_left, 92);
  EXPECT_EQ(view.tasks[1].weight(), 7);
  EXPECT_TRUE(view.curves[1].turns.empty());
}

TEST_F(SearchRunTest, CurvesBeginWithWhatIsKnown) {
  {
    SearchRun earlier({tasks_[0]}, {agent_}, options_, parts_);
    earlier.Start();
    earlier.TakeTurn();
  }
  witness_.trials.clear();
  SearchRun search(tasks_, {agent_}, options_, parts_);
  search.Start();
  EXPECT_EQ(search.curve(0).known_trials, 8);
  EXPECT_EQ(search.curve(0).known_turns, 1);
  EXPECT_EQ(search.curve(1).known_trials, 0);
}

// The interrupt ends its computation.
class ThinkingAgent : public Agent {
 public:
  explicit ThinkingAgent(std::atomic<bool>& stop) : stop_(stop) {}

  std::vector<Proposal> Propose(int, int) override {
    stop_ = true;
    throw Interrupted();
  }
  void Learn(std::span<const Trial>) override { ADD_FAILURE() << "of nothing"; }

 private:
  std::atomic<bool>& stop_;
};

TEST_F(SearchRunTest, AnInterruptInTheMidstOfThinkingEndsTheSearch) {
  std::atomic<bool> stop = false;
  options_.stop = &stop;
  ThinkingAgent agent(stop);
  SearchRun search(tasks_, {agent}, options_, parts_);
  search.Start();
  search.TakeTurn();
  EXPECT_EQ(search.ReasonToStop(), StopReason::kInterrupted);
  EXPECT_EQ(search.trials(), 0);
  EXPECT_FALSE(search.curve(0).finished) << "it may have something left";
}

// Its computation takes longer than the search.
class SlowAgent : public Agent {
 public:
  explicit SlowAgent(FakeClock& clock) : clock_(clock) {}

  std::vector<Proposal> Propose(int, int) override {
    clock_.Advance(100);
    throw Interrupted();
  }

 private:
  FakeClock& clock_;
};

TEST_F(SearchRunTest, ThinkingThatIsGivenUpWhereTheSecondsAreOverExhaustsNothing) {
  options_.request.seconds = 10;
  SlowAgent agent(clock_);
  SearchRun search(tasks_, {agent}, options_, parts_);
  search.Start();
  search.TakeTurn();
  EXPECT_EQ(search.ReasonToStop(), StopReason::kSeconds);
  EXPECT_FALSE(search.curve(0).finished);
  EXPECT_NE(search.runs()[0].done.stopped, StopReason::kExhausted);
}

// Returns the tasks in turn, half a second each; the third call is interrupted.
class SlowScheduler : public TaskScheduler {
 public:
  SlowScheduler(FakeClock& clock, std::atomic<bool>& stop) : clock_(clock), stop_(stop) {}

  std::optional<int> Next(const SchedulerView&) override {
    stop_ = turns_ == 2;
    StopToken(&stop_).Check();
    clock_.Advance(0.5);
    return turns_++ % 2;
  }

 private:
  FakeClock& clock_;
  std::atomic<bool>& stop_;
  int turns_ = 0;
};

TEST_F(SearchRunTest, ChoicesTakeTimeAndMayBeInterrupted) {
  std::atomic<bool> stop = false;
  options_.stop = &stop;
  SlowScheduler scheduler(clock_, stop);
  const TunerParts parts{measurer_, *store_, scheduler, witness_, clock_, calendar_};
  SearchRun search(tasks_, {agent_}, options_, parts);
  search.Start();
  EXPECT_TRUE(search.TakeTurn());
  EXPECT_EQ(search.runs()[0].done.time.schedule, 0.5);
  EXPECT_EQ(search.runs()[1].done.time.schedule, 0);
  EXPECT_EQ(search.curve(0).seconds(), 8) << "a turn does not begin before it is chosen";
  EXPECT_TRUE(search.TakeTurn());
  EXPECT_EQ(search.Elapsed(), 17);
  EXPECT_TRUE(search.TakeTurn()) << "it did not say that nothing is left";
  EXPECT_EQ(search.ReasonToStop(), StopReason::kInterrupted);
  EXPECT_EQ(search.trials(), 16);
}

}  // namespace
}  // namespace schedulegym
