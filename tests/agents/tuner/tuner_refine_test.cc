// Tests of the tuner's last trials, which go to the refiners.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "agents/builtin_agents.h"
#include "agents/droplet/refiner.h"
#include "agents/tuner/tuner.h"
#include "env/base/fault.h"
#include "tests/agents/scripted_measurer.h"
#include "tests/agents/split_space.h"

namespace schedulegym {
namespace {

using testing::Each;

class Trials : public TuneObserver {
 public:
  void OnStart(const StartEvent&) override { ++starts; }
  void OnTurn(const TurnEvent& event) override { turns.push_back(event.task); }
  void OnTrial(const TrialEvent& event) override {
    records.push_back(event.record);
    agents.push_back(event.record.agent);
    if (stop_after == std::ssize(records)) stop = true;
  }
  void OnDone(const DoneEvent&) override { ++dones; }

  int starts = 0, dones = 0;
  std::vector<int> turns;
  std::vector<Record> records;
  std::vector<std::string> agents;
  int64_t stop_after = -1;
  std::atomic<bool> stop = false;
};

class TunerRefineTest : public testing::Test {
 protected:
  std::vector<DoneEvent> Run(const std::vector<std::pair<int, double>>& extents_and_weights = {
                                 {97, 1}}) {
    AgentSetup setup;
    std::vector<TunerTask> tasks;
    setup.agent = options_.request.agent;
    for (const auto& [extent, weight] : extents_and_weights) {
      task_ = VectorTask(extent);
      setup.tasks.push_back({task_, weight});
      tasks.push_back({task_, weight});
    }
    const AgentMaker maker = BuiltinAgentMaker();
    const auto agent = maker.Make({setup, space_, Rng(1), maker, clock_});
    AgentSetup refining = setup;
    refining.agent = *options_.request.refine;
    const auto refiner = maker.MakeRefiner({refining, space_, Rng(1), maker, clock_});
    SchedulerContext context;
    context.tasks.resize(setup.tasks.size());
    const auto scheduler = MakeTaskScheduler(ParseSpec(scheduler_).value(), context);
    options_.stop = &seen_.stop;
    return Tune(tasks, {*agent, refiner.get()}, options_,
                {measurer_, *store_, *scheduler, seen_, clock_, calendar_});
  }

  int64_t TrialsBy(const std::string& agent) const {
    return std::count(seen_.agents.begin(), seen_.agents.end(), agent);
  }

  TunerOptions options_{
      .request = {.agent = {"random", {}}, .refine = Spec{"droplet", {}}, .trials = 16},
      .refine_trials = 4,
      .batch = 8};
  std::string scheduler_ = "round_robin";
  SplitSpace space_;
  std::shared_ptr<const Task> task_;  // the latest task
  FakeClock clock_, calendar_;
  ScriptedMeasurer measurer_{clock_};
  std::unique_ptr<RecordStore> store_ = MakeMemoryStore();
  Trials seen_;
};

TEST_F(TunerRefineTest, TheLastTrialsGoOnFromTheBest) {
  // The best of twelve; the same measured again; one of the later ones is better.
  measurer_.script = [](int i) { return Success(i == 5 ? 9 : i == 12 ? 2 : i == 14 ? 5 : 1); };
  const auto done = Run();
  ASSERT_EQ(seen_.records.size(), 16u);
  EXPECT_EQ(std::vector(seen_.agents.begin(), seen_.agents.begin() + 12),
            std::vector<std::string>(12, "random"));
  EXPECT_EQ(TrialsBy("droplet"), 4);
  EXPECT_EQ(seen_.records[12].trace, seen_.records[5].trace);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(seen_.records[static_cast<size_t>(i)].index, i);
  EXPECT_EQ(done[0].stopped, StopReason::kTrials);
  EXPECT_EQ(done[0].trials, 16);
  ASSERT_TRUE(done[0].refined.has_value());
  EXPECT_EQ(done[0].refined->speed, 2.5);
  EXPECT_EQ(done[0].refined->trials, 4);
  EXPECT_EQ(done[0].refined->after, 12);
  EXPECT_EQ(done[0].refined->agent, "random");
  EXPECT_EQ(seen_.starts, 1);
  EXPECT_EQ(seen_.dones, 1);
}

TEST_F(TunerRefineTest, WhatIsProposedAgainIsMeasuredAnew) {
  Run();
  std::vector<bool> expected(16, false);
  expected[12] = true;
  EXPECT_EQ(measurer_.anew, expected);
}

TEST_F(TunerRefineTest, WhatEarlierSearchesFoundIsRefinedToo) {
  measurer_.script = [](int i) { return Success(i == 3 ? 9 : 1); };
  options_.refine_trials = 0;
  Run();
  const std::string best = seen_.records[3].trace;
  calendar_.Advance(100);
  options_.refine_trials = 4;
  Run();
  EXPECT_EQ(seen_.records[16 + 12].trace, best);
}

TEST_F(TunerRefineTest, UnlessTheSearchBeginsAfresh) {
  measurer_.script = [](int i) { return Success(i == 3 ? 9 : i == 18 ? 2 : 1); };
  options_.refine_trials = 0;
  Run();
  calendar_.Advance(100);
  options_.refine_trials = 4;
  options_.request.resume = false;
  Run();
  EXPECT_EQ(seen_.records[16 + 12].trace, seen_.records[18].trace);
}

TEST_F(TunerRefineTest, SecondsAreSharedAsTrialsAre) {
  options_.request.trials = 100;
  options_.refine_trials = 25;
  options_.request.seconds = 16;
  const auto done = Run({{97, 1}});
  // A second each; three quarters are the agent's.
  EXPECT_EQ(TrialsBy("random"), 12);
  EXPECT_EQ(TrialsBy("droplet"), 4);
  EXPECT_EQ(done[0].stopped, StopReason::kSeconds);
}

TEST_F(TunerRefineTest, SecondsHoldForBothParts) {
  options_.request.trials = 100;
  options_.refine_trials = 25;
  options_.request.seconds = 15.5;
  const auto done = Run();
  EXPECT_EQ(TrialsBy("random"), 11) << "of 11.625 s";
  EXPECT_EQ(TrialsBy("droplet"), 4);
  EXPECT_EQ(done[0].elapsed, 15);
}

TEST_F(TunerRefineTest, ADescentThatEndsLeavesTrials) {
  // Five schedules; the descent knows all results except that of the best.
  const auto done = Run({{5, 1}});
  EXPECT_EQ(done[0].stopped, StopReason::kExhausted);
  EXPECT_EQ(TrialsBy("random"), 5);
  EXPECT_EQ(TrialsBy("droplet"), 1);
  EXPECT_EQ(done[0].refined->speed, 1);
}

TEST_F(TunerRefineTest, TasksShareByWeightAndLatency) {
  options_.request.trials = 44;
  options_.refine_trials = 12;  // nine and three of them are due
  const auto done = Run({{89, 1}, {97, 3}});
  EXPECT_EQ(done[0].refined->after, 16);
  EXPECT_EQ(done[1].refined->after, 16);
  EXPECT_EQ(done[0].refined->trials + done[1].refined->trials, TrialsBy("droplet"));
  EXPECT_GT(done[1].refined->trials, done[0].refined->trials);
  EXPECT_EQ(seen_.turns[4], 1) << "the larger part first";
}

TEST_F(TunerRefineTest, WhatATaskLeavesTheOthersGet) {
  options_.request.trials = 28;
  options_.refine_trials = 16;
  // The first has the larger share, but only three schedules.
  const auto done = Run({{3, 100}, {97, 1}});
  EXPECT_EQ(done[0].refined->trials, 1);
  EXPECT_EQ(done[1].refined->trials, TrialsBy("droplet") - 1);
  EXPECT_GT(done[1].refined->trials, 1);
}

TEST_F(TunerRefineTest, WithoutASuccessNothingIsRefined) {
  measurer_.script = [](int) { return Failure(Outcome::kRunTimeout); };
  const auto done = Run();
  EXPECT_THAT(seen_.agents, Each("random"));
  EXPECT_EQ(done[0].trials, 12);
  EXPECT_EQ(done[0].refined, std::nullopt);
}

TEST_F(TunerRefineTest, AnInterruptEndsBothParts) {
  seen_.stop_after = 3;
  EXPECT_EQ(Run()[0].stopped, StopReason::kInterrupted);
  EXPECT_EQ(seen_.records.size(), 3u);
}

TEST_F(TunerRefineTest, AnInterruptOfTheSecondPartKeepsItsGain) {
  seen_.stop_after = 14;
  const auto done = Run();
  EXPECT_EQ(done[0].stopped, StopReason::kInterrupted);
  EXPECT_EQ(done[0].refined->trials, 2);
}

TEST_F(TunerRefineTest, ASchedulerThatExpectsNothingLeavesTheRefiners) {
  scheduler_ = "gradient(patience=8)";
  options_.request.trials = 100;
  const auto done = Run({{97, 1}, {89, 1}});
  EXPECT_EQ(done[0].stopped, StopReason::kStagnated);
  EXPECT_GT(TrialsBy("droplet"), 0);
}

TEST_F(TunerRefineTest, WhatTurnsOutDoubtfulIsToldToTheRefiner) {
  // A step seems twice as fast, until the control measurement finds that the machine was disturbed.
  measurer_.script = [&](int i) {
    if (i == 15) {
      const ScheduleState state = ReplayText(task_, seen_.records[14].trace).value();
      measurer_.deferred_results.suspects = {{state}};
    }
    return Success(i == 14 ? 2 : 1);
  };
  const auto done = Run();
  EXPECT_EQ(measurer_.count, 17);
  EXPECT_EQ(done[0].refined->speed, 1);
}

TEST_F(TunerRefineTest, LeavesTrialsToTheSearch) {
  options_.refine_trials = 16;
  EXPECT_THROW(Run(), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
