#include "agents/tuner/tuner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/base/fault.h"
#include "tests/agents/tuner/tuner_fixture.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

class TunerTest : public TunerFixture {};

TEST_F(TunerTest, RemarksAreToldOfTheTasksThatTheyAreAbout) {
  measurer_.script = [&](int trial) {
    if (trial == 2) {
      measurer_.deferred_results.warnings = {{TaskKey(*VectorTask(61)), "its inputs say little"},
                                             {Key{1, 2}, "nobody's"}};
    }
    return Success(1);
  };
  Run({97, 61});
  EXPECT_THAT(witness_.warnings, ElementsAre("vector61: its inputs say little"));
}

TEST_F(TunerTest, AsksMeasuresRecordsAndTellsUntilTheTrialsAreUsedUp) {
  const auto done = Run();
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].trials, 20);
  EXPECT_EQ(done[0].ok, 20);
  EXPECT_EQ(done[0].stopped, StopReason::kTrials);
  EXPECT_EQ(done[0].elapsed, 20);
  EXPECT_THAT(agents_[0]->asked, ElementsAre(8, 8, 4));
  ASSERT_EQ(agents_[0]->told.size(), 3u);
  EXPECT_EQ(agents_[0]->told[2].size(), 4u);
  EXPECT_THAT(witness_.starts, ElementsAre("vector97"));
  EXPECT_THAT(witness_.dones, ElementsAre("vector97"));
  ASSERT_EQ(witness_.trials.size(), 20u);
  std::set<std::string> ids;
  for (int i = 0; i < 20; ++i) {
    const Record& record = witness_.trials[static_cast<size_t>(i)];
    EXPECT_EQ(record.index, i);
    EXPECT_EQ(record.agent, "random");
    EXPECT_EQ(record.space, "splits");
    EXPECT_EQ(record.seed, 4u);
    EXPECT_EQ(record.host, "here");
    EXPECT_EQ(record.started, calendar_.Now() - 20 + i);
    ids.insert(record.id);
  }
  EXPECT_EQ(ids.size(), 20u);
}

TEST_F(TunerTest, KeepsTheBestAndItsFigures) {
  measurer_.script = [](int i) { return Success(i == 3 ? 5.0 : 1.0 + 0.01 * i); };
  options_.request.trials = 6;
  const auto done = Run();
  ASSERT_TRUE(done[0].best.has_value());
  EXPECT_EQ(done[0].best->index, 3);
  EXPECT_EQ(done[0].best->id, witness_.trials[3].id);
  // 97 flops in 1 / 5 microsecond.
  EXPECT_NEAR(done[0].best_gflops.value(), 97 / 2e-7 * 1e-9, 1e-9);
  EXPECT_NEAR(witness_.gflops[0].value(), 97 / 1e-6 * 1e-9, 1e-9);
  EXPECT_EQ(witness_.best_seconds[2], 1e-6 / 1.02);
  EXPECT_EQ(witness_.best_seconds[3], 1e-6 / 5);
  EXPECT_EQ(witness_.best_seconds[5], 1e-6 / 5);
}

TEST_F(TunerTest, FailuresAreCountedByTypeAndEndNothing) {
  measurer_.script = [](int i) {
    if (i % 3 == 0) return Failure(Outcome::kWrongOutput);
    return i % 3 == 1 ? Failure(Outcome::kCompileError) : Success(2);
  };
  options_.request.trials = 7;
  const auto done = Run();
  EXPECT_EQ(done[0].trials, 7);
  EXPECT_EQ(done[0].ok, 2);
  EXPECT_EQ(done[0].failed,
            (std::map<Outcome, int64_t>{{Outcome::kWrongOutput, 3}, {Outcome::kCompileError, 2}}));
  EXPECT_EQ(done[0].first_failed.at(Outcome::kWrongOutput).index, 0);
  EXPECT_EQ(done[0].first_failed.at(Outcome::kCompileError).index, 1);
  EXPECT_EQ(done[0].first_failed.size(), 2);
  EXPECT_EQ(witness_.gflops[0], std::nullopt);
  EXPECT_EQ(witness_.best_seconds[1], 0);
}

TEST_F(TunerTest, AgentsHearOfEveryProposalAndWhatItsRecordIsWorth) {
  measurer_.script = [](int i) {
    if (i % 4 == 1) return Failure(Outcome::kNoisy);
    if (i % 4 == 2) return Failure(Outcome::kInfra);
    return i % 4 == 3 ? Failure(Outcome::kRunTimeout) : Success(2);
  };
  options_.request.trials = 8;
  const auto done = Run();
  EXPECT_EQ(done[0].trials, 8);
  ASSERT_EQ(agents_[0]->told.size(), 1u);
  std::vector<TrialStatus> told;
  for (const Trial& trial : agents_[0]->told[0]) {
    told.push_back(trial.told);
    EXPECT_EQ(RecordToLearnFrom(trial) != nullptr, MayLearnFrom(trial.record->measurement.outcome));
    EXPECT_EQ(store_->ById(trial.record->id), *trial.record);
  }
  const auto measured = TrialStatus::kMeasured, nothing = TrialStatus::kSaysNothing;
  EXPECT_THAT(told, ElementsAre(measured, nothing, nothing, measured, measured, nothing, nothing,
                                measured));
}

TEST_F(TunerTest, WhatRefiningGaveIsSaidAtTheEnd) {
  const auto task = VectorTask(89);
  SingleTaskAgent dpansor(ParseSpec("dpansor(k=4, agent=random)").value(), space_, {task}, Rng(1));
  const auto scheduler = MakeTaskScheduler(Spec{"round_robin", {}}, {.tasks = {{}}});
  // Results of the first search, of its best measured again, and of the descent.
  measurer_.script = [](int i) { return Success(i == 2 ? 9 : i == 4 ? 2 : i == 6 ? 3 : 1); };
  const auto done = Tune({{task}}, {dpansor}, options_,
                         {measurer_, *store_, *scheduler, witness_, clock_, calendar_});
  EXPECT_EQ(witness_.trials[4].trace, witness_.trials[2].trace);
  ASSERT_TRUE(done[0].refined.has_value());
  EXPECT_EQ(done[0].refined->speed, 1.5);
  EXPECT_EQ(done[0].refined->after, 4);
  EXPECT_EQ(done[0].refined->agent, "random");
  EXPECT_EQ(done[0].refined->trials, done[0].trials - 4);
}

TEST_F(TunerTest, OtherAgentsRefineNothing) { EXPECT_EQ(Run()[0].refined, std::nullopt); }

TEST_F(TunerTest, TheMeasurerIsToldWhatComesNext) {
  Run();
  EXPECT_THAT(measurer_.expected, ElementsAre(8, 8, 4));
}

TEST_F(TunerTest, WhatTurnsOutDoubtfulIsMeasuredAgainOutsideOfTheBudget) {
  auto session = std::make_shared<const MeasuringSession>(MeasuringSession{.id = "s"});
  options_.request.trials = 4;
  options_.batch = 4;
  measurer_.script = [&](int i) {
    // The last of the batch; the control measurement after it finds that the machine was disturbed.
    if (i == 3) {
      measurer_.deferred_results.controls = {{session, 3, {1.2, 1.1, 1.3}, false}};
      measurer_.deferred_results.suspects = {{agents_[0]->proposed[0].state}};
    }
    Measurement success = Success(i == 0 ? 9 : i == 4 ? 0.5 : 1);
    success.phases.measure = 0.25;
    return success;
  };
  const auto done = Run();
  EXPECT_EQ(done[0].time.measure, 5 * 0.25) << "what is measured again takes time, too";
  EXPECT_EQ(done[0].trials, 4);
  EXPECT_EQ(witness_.trials.size(), 4u);
  EXPECT_EQ(measurer_.count, 5);
  // The noisy measurement is no longer the best.
  ASSERT_TRUE(done[0].best.has_value());
  EXPECT_NE(done[0].best->state_key, witness_.trials[0].state_key);
  EXPECT_EQ(done[0].best->measurement.timing->ratio.median, 1);
  const std::vector<Record> records = store_->ForTask(witness_.trials[0].task->key);
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records[4].state_key, records[0].state_key);
  EXPECT_EQ(records[4].index, 0);  // the index of the original trial
  ASSERT_EQ(witness_.revised.size(), 1u);
  EXPECT_EQ(witness_.revised[0].before, witness_.trials[0]);
  EXPECT_EQ(witness_.revised[0].best, done[0].best);
  EXPECT_EQ(witness_.revised[0].why, "the machine was disturbed while it was timed");
  EXPECT_EQ(records[4].agent, records[0].agent);
  ASSERT_EQ(agents_[0]->told.size(), 2u);
  ASSERT_EQ(agents_[0]->told[1].size(), 1u);
  EXPECT_EQ(agents_[0]->told[1][0].told, TrialStatus::kRevised);
  EXPECT_EQ(*agents_[0]->told[1][0].record, records[4]);
}

TEST_F(TunerTest, NotesAreKeptInTheRecords) {
  const auto task = VectorTask(97);
  const auto agent = std::make_unique<ListeningAgent>(space_, task);
  agent->note = "track(step=17)";
  const auto scheduler = MakeTaskScheduler(Spec{"round_robin", {}}, {.tasks = {{}}});
  measurer_.script = [&](int i) {
    if (i == 1) measurer_.deferred_results.suspects = {{agent->proposed[0].state}};
    return Success(1);
  };
  options_.request.trials = options_.batch = 2;
  Tune({{task}}, {*agent}, options_, {measurer_, *store_, *scheduler, witness_, clock_, calendar_});
  const std::vector<Record> records = store_->ForTask(witness_.trials[0].task->key);
  ASSERT_EQ(records.size(), 3u) << "one was measured again";
  for (const Record& record : records) EXPECT_EQ(record.note, "track(step=17)");
}

TEST_F(TunerTest, WithoutASuccessThereIsNoBest) {
  measurer_.script = [](int) { return Failure(Outcome::kInvalidSchedule); };
  const auto done = Run();
  EXPECT_EQ(done[0].best, std::nullopt);
  EXPECT_EQ(done[0].best_gflops, std::nullopt);
  EXPECT_EQ(done[0].ok, 0);
}

TEST_F(TunerTest, SecondsEndTheSearchBeforeATrialThatWouldEndLater) {
  options_.request.seconds = 4.5;
  const auto done = Run();
  EXPECT_EQ(done[0].stopped, StopReason::kSeconds);
  EXPECT_EQ(done[0].trials, 4);
  EXPECT_EQ(done[0].elapsed, 4);
  EXPECT_THAT(witness_.elapsed, ElementsAre(1, 2, 3, 4));
}

TEST_F(TunerTest, SecondsHoldWhateverTrialsTake) {
  options_.request.seconds = 30;
  options_.request.trials = 1000;
  measurer_.takes = [](int i) { return i % 5 == 4 ? 2.5 : 0.5; };
  const auto done = Run();
  EXPECT_EQ(done[0].stopped, StopReason::kSeconds);
  EXPECT_LE(done[0].elapsed, 30);
  EXPECT_GT(done[0].elapsed, 30 - 2.5);
}

TEST_F(TunerTest, WhatIsMeasuredWhenTheSecondsAreOverIsCutOffAndNoTrial) {
  options_.request.seconds = 10;
  measurer_.takes = [](int i) { return i == 5 ? 100 : 1; };
  const auto done = Run();
  EXPECT_EQ(done[0].stopped, StopReason::kSeconds);
  EXPECT_EQ(done[0].trials, 5);
  EXPECT_EQ(done[0].ok, 5);
  EXPECT_TRUE(done[0].failed.empty());
  EXPECT_LE(done[0].elapsed, 10.25);
  EXPECT_EQ(store_->ForTask(TaskKey(*VectorTask(97))).size(), 5u);
}

TEST_F(TunerTest, AFinalistIsCutOffAndLeavesTheBestAsItWas) {
  options_.request.seconds = 100;
  options_.request.trials = 90;
  options_.finalists = 5;
  measurer_.takes = [](int i) { return i < 90 ? 1 : 60; };
  const auto done = Run();
  EXPECT_EQ(done[0].trials, 90);
  EXPECT_EQ(done[0].finalists, 0);
  EXPECT_LE(done[0].elapsed, 100.25);
  EXPECT_TRUE(done[0].best.has_value());
}

TEST_F(TunerTest, AnInterruptCutsOffWhatIsMeasured) {
  std::atomic<bool> stop = false;
  options_.stop = &stop;
  measurer_.takes = [&](int i) {
    stop = i == 3;
    return 100;
  };
  const auto done = Run();
  EXPECT_EQ(done[0].stopped, StopReason::kInterrupted);
  EXPECT_EQ(done[0].trials, 3);
  EXPECT_EQ(done[0].elapsed, 300);
}

TEST_F(TunerTest, AWideMeasurerGetsFewerWhereTimeIsShort) {
  measurer_.width = 8;
  options_.request.seconds = 12;
  const auto done = Run();
  EXPECT_EQ(done[0].elapsed, 12);
  EXPECT_THAT(measurer_.sizes, ElementsAre(1, 7, 4)) << "of a new task one alone";
}

TEST_F(TunerTest, NoTaskBeginsThatCannotBePreparedInTime) {
  options_.request.seconds = 10;
  options_.request.trials = 40;
  options_.batch = 2;
  measurer_.takes = [](int i) { return i == 0 ? 5 : 1; };
  const auto done = Run({97, 61});
  EXPECT_EQ(done[0].trials, 2);
  EXPECT_EQ(done[1].trials, 0) << "the other's first trial took five seconds of ten";
  EXPECT_EQ(done[1].stopped, StopReason::kSeconds);
  EXPECT_THAT(witness_.turns, ElementsAre(0));
}

TEST_F(TunerTest, SecondsIncludeTheFinalists) {
  options_.request.seconds = 30;
  options_.request.trials = 1000;
  options_.finalists = 5;
  // Each seems better than it is.
  measurer_.script = [&](int i) {
    return Success(!measurer_.finalist.empty() && measurer_.finalist.back() ? 1 : 2 + 0.01 * i);
  };
  const auto done = Run();
  EXPECT_EQ(done[0].trials, 27) << "a tenth is theirs";
  // One is expected to take 3 s: a trial's time in each process.
  EXPECT_EQ(done[0].finalists, 1);
  EXPECT_EQ(done[0].elapsed, 28);
}

TEST_F(TunerTest, AFinalistThatTookLongerThanThoughtIsTheLast) {
  options_.request.seconds = 100;
  options_.request.trials = 1000;
  options_.finalists = 5;
  measurer_.script = [&](int i) {
    return Success(!measurer_.finalist.empty() && measurer_.finalist.back() ? 1 : 2 + 0.001 * i);
  };
  measurer_.takes = [](int i) { return i < 90 ? 1 : 6; };
  const auto done = Run();
  EXPECT_EQ(done[0].trials, 90);
  EXPECT_EQ(done[0].finalists, 1);
  EXPECT_EQ(done[0].elapsed, 96);
}

TEST_F(TunerTest, FinalistsThatDoNotFitAreNone) {
  options_.request.seconds = 7;
  options_.request.trials = 1000;
  options_.finalists = 5;
  const auto done = Run();
  EXPECT_EQ(done[0].trials, 7) << "a finalist would take more than a fifth";
  EXPECT_EQ(done[0].finalists, 0);
  EXPECT_EQ(done[0].elapsed, 7);
}

TEST_F(TunerTest, EveryTaskHasItsShareOfTheFinalists) {
  options_.finalists = 9;
  options_.request.trials = 40;
  measurer_.script = [](int i) { return Success(i < 40 ? 5 + 0.1 * i : 1); };
  const auto done = Run({97, 61});
  EXPECT_EQ(done[0].finalists, 2) << "four seconds are a tenth";
  EXPECT_EQ(done[1].finalists, 2);
}

TEST_F(TunerTest, WhatIsDoubtfulAndCannotBeMeasuredAgainIsNotTheBest) {
  options_.request.seconds = 5;
  options_.batch = 4;
  measurer_.script = [&](int i) {
    if (i == 3) {
      measurer_.deferred_results.suspects = {{agents_[0]->proposed[0].state},
                                             {agents_[0]->proposed[2].state}};
    }
    return Success(i == 0 ? 3 : i == 2 ? 9 : i == 4 ? 4 : 1);
  };
  const auto done = Run();
  EXPECT_EQ(measurer_.count, 5);
  ASSERT_TRUE(done[0].best.has_value());
  EXPECT_EQ(done[0].best->state_key, witness_.trials[2].state_key) << "the best is looked at first";
  EXPECT_EQ(done[0].best->measurement.timing->ratio.median, 4);
}

TEST_F(TunerTest, AnInterruptKeepsWhatThereIs) {
  std::atomic<bool> stop = false;
  options_.stop = &stop;
  witness_.on_trial = [&] { stop = witness_.trials.size() == 3; };
  const auto done = Run();
  EXPECT_EQ(done[0].stopped, StopReason::kInterrupted);
  EXPECT_EQ(done[0].trials, 3);
  EXPECT_TRUE(done[0].best.has_value());
  EXPECT_EQ(store_->ForTask(done[0].task->key).size(), 3u);
  ASSERT_EQ(agents_[0]->told.size(), 1u);
  ASSERT_EQ(agents_[0]->told[0].size(), 8u);
  for (size_t i = 0; i < 8; ++i) {
    const Trial& trial = agents_[0]->told[0][i];
    EXPECT_EQ(trial.told, i < 3 ? TrialStatus::kMeasured : TrialStatus::kNotReached);
    EXPECT_EQ(trial.record != nullptr, i < 3);
  }
}

TEST_F(TunerTest, AnInterruptBeforeTheFirstTrialStillReports) {
  const std::atomic<bool> stop = true;
  options_.stop = &stop;
  const auto done = Run();
  EXPECT_EQ(done[0].stopped, StopReason::kInterrupted);
  EXPECT_EQ(done[0].trials, 0);
  EXPECT_THAT(witness_.dones, ElementsAre("vector97"));
}

TEST_F(TunerTest, AnExhaustedSpaceEndsTheTask) {
  const auto done = Run({1});
  EXPECT_EQ(done[0].stopped, StopReason::kExhausted);
  EXPECT_EQ(done[0].trials, 1);
}

TEST_F(TunerTest, ASecondSearchGoesOnWhereTheFirstEnded) {
  measurer_.script = [](int i) {
    if (i == 1) return Failure(Outcome::kInfra);
    return i == 2 ? Failure(Outcome::kRunSignal) : Success(i == 4 ? 9 : 1);
  };
  options_.request.trials = 8;
  Run();
  EXPECT_THAT(witness_.known, ElementsAre(0));
  EXPECT_EQ(witness_.known_best, std::nullopt);
  const std::vector<Record> first = witness_.trials;
  witness_.trials.clear();
  calendar_.Advance(100);
  const auto done = Run();
  EXPECT_EQ(witness_.known.back(), 7) << "what failed for other reasons is not learned from";
  EXPECT_EQ(done[0].known, 7);
  EXPECT_EQ(done[0].known_best, first[4]);
  EXPECT_EQ(witness_.known_best, first[4]);
  EXPECT_EQ(done[0].best->measurement.timing->ratio.median, 1) << "of this search";
  EXPECT_THAT(agents_[1]->before,
              ElementsAre(first[0], first[2], first[3], first[4], first[5], first[6], first[7]));
  std::set<Key> states;
  for (const Record& record : agents_[1]->before) states.insert(record.state_key);
  for (const Record& record : witness_.trials) {
    EXPECT_TRUE(states.insert(record.state_key).second);
    EXPECT_EQ(store_->ById(record.id), record);
  }
  EXPECT_EQ(witness_.trials[0].index, 0);
}

TEST_F(TunerTest, SchedulersHearOfWhatIsKnown) {
  options_.request.trials = 8;
  Run();
  // The known task needs no warm-up, so that the new one is first.
  witness_.trials.clear();
  witness_.turns.clear();
  calendar_.Advance(100);
  scheduler_ = "gradient";
  Run({97, 89});
  EXPECT_THAT(witness_.turns, ElementsAre(1));
}

TEST_F(TunerTest, ASchedulerThatExpectsNothingEndsTheSearch) {
  scheduler_ = "gradient(patience=8)";
  const auto done = Run({97, 1});
  EXPECT_EQ(done[0].stopped, StopReason::kStagnated);
  // The second task has one candidate, which is a turn; its next turn finds none.
  EXPECT_EQ(done[0].trials + done[1].trials, 17);
}

TEST_F(TunerTest, ASearchMayBeginAfresh) {
  Run();
  witness_.trials.clear();
  calendar_.Advance(100);
  options_.request.resume = false;
  const auto done = Run();
  EXPECT_EQ(done[0].known, 0);
  EXPECT_THAT(agents_[1]->before, testing::IsEmpty());
}

TEST_F(TunerTest, SeveralTasksTakeTurnsAndShareTheBudget) {
  options_.request.trials = 30;
  const auto done = Run({97, 1, 89});
  ASSERT_EQ(done.size(), 3u);
  EXPECT_EQ(done[1].stopped, StopReason::kExhausted);
  EXPECT_EQ(done[1].trials, 1);
  EXPECT_EQ(done[0].stopped, StopReason::kTrials);
  // 8, 1, 8, 8, then the last 5. The second turn of task 1 finds no candidates.
  EXPECT_THAT(witness_.turns, ElementsAre(0, 1, 2, 0, 1, 2));
  EXPECT_EQ(done[0].trials, 16);
  EXPECT_EQ(done[2].trials, 13);
  EXPECT_THAT(witness_.starts, ElementsAre("vector97", "vector1", "vector89"));
  EXPECT_THAT(witness_.dones, ElementsAre("vector97", "vector1", "vector89"));
  int64_t index = 0;
  for (const Record& record : witness_.trials) {
    if (record.task->workload != "vector89") continue;
    EXPECT_EQ(record.index, index++);
  }
}

TEST_F(TunerTest, AWideMeasurerGetsThatManyAtOnce) {
  measurer_.width = 3;
  Run();
  EXPECT_THAT(measurer_.sizes, ElementsAre(3, 3, 2, 3, 3, 2, 3, 1));
}

TEST_F(TunerTest, AFaultOfTheMachineComesThroughAfterWhatWasRecorded) {
  measurer_.script = [](int i) {
    if (i == 2) throw MachineError("the device is gone");
    return Success(1);
  };
  EXPECT_THROW(Run(), MachineError);
  EXPECT_EQ(store_->ForTask(TaskKey(*VectorTask(97))).size(), 2u);
}

TEST(BestSourceTest, Names) {
  EXPECT_STREQ(BestSourceName(BestSource::kSearch), "search");
  EXPECT_STREQ(BestSourceName(BestSource::kReference), "reference");
}

TEST(StopReasonTest, TimeAndUsersCutShort) {
  EXPECT_TRUE(IsCutShort(StopReason::kSeconds));
  EXPECT_TRUE(IsCutShort(StopReason::kInterrupted));
  EXPECT_FALSE(IsCutShort(StopReason::kTrials));
  EXPECT_FALSE(IsCutShort(StopReason::kExhausted));
  EXPECT_FALSE(IsCutShort(StopReason::kStagnated));
}

TEST(StopReasonTest, NamesCutShortWhereReasonsDo) {
  for (const StopReason reason : {StopReason::kTrials, StopReason::kSeconds, StopReason::kExhausted,
                                  StopReason::kInterrupted, StopReason::kStagnated}) {
    EXPECT_EQ(IsCutShort(std::string_view(StopReasonName(reason))), IsCutShort(reason));
  }
}

TEST(StopReasonTest, Names) {
  EXPECT_STREQ(StopReasonName(StopReason::kTrials), "trials");
  EXPECT_STREQ(StopReasonName(StopReason::kSeconds), "seconds");
  EXPECT_STREQ(StopReasonName(StopReason::kExhausted), "exhausted");
  EXPECT_STREQ(StopReasonName(StopReason::kInterrupted), "interrupted");
  EXPECT_STREQ(StopReasonName(StopReason::kStagnated), "stagnated");
}

}  // namespace
}  // namespace schedulegym
