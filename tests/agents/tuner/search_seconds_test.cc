#include <gtest/gtest.h>

#include "tests/agents/tuner/tuner_fixture.h"

namespace schedulegym {
namespace {

class SearchSecondsTest : public TunerFixture {};

TEST_F(SearchSecondsTest, TimeIsAddedUpByPhase) {
  measurer_.script = [](int i) { return i == 0 ? Failure(Outcome::kCompileError) : Success(1); };
  options_.request.trials = 5;
  const auto done = Run();
  EXPECT_NEAR(done[0].time.compile, 0.5, 1e-12);
  EXPECT_NEAR(done[0].time.verify, 0.8, 1e-12);
  EXPECT_NEAR(done[0].time.measure, 1.2, 1e-12);
  EXPECT_EQ(done[0].time.propose, 0);
  EXPECT_EQ(done[0].time.store, 0);
}

TEST_F(SearchSecondsTest, WhatNoPhaseHasWasWaitedOrSpentElsewhere) {
  // Each trial takes one second, of which the phases are 0.6, and those of the failure 0.1.
  measurer_.script = [](int i) { return i == 0 ? Failure(Outcome::kCompileError) : Success(1); };
  options_.request.trials = 5;
  const auto done = Run();
  EXPECT_NEAR(done[0].time.wait, 0.9 + 4 * 0.4, 1e-12);
  EXPECT_NEAR(done[0].time.other, 0, 1e-12);
  EXPECT_NEAR(done[0].time.Sum(), done[0].elapsed, 1e-12);
}

TEST_F(SearchSecondsTest, WaitsAreForTheLockForCalmOrElseForWorkers) {
  measurer_.deferred_results.waits = {{TaskKey(*VectorTask(97)), 0.5, 0.25},
                                      {TaskKey(*VectorTask(97)), 0.25, 0},
                                      {TaskKey(*VectorTask(3)), 9, 9}};
  options_.request.trials = 5;  // each waits for 0.4 s
  const auto done = Run();
  EXPECT_NEAR(done[0].time.wait_lock, 0.75, 1e-12);
  EXPECT_NEAR(done[0].time.wait_calm, 0.25, 1e-12);
  EXPECT_NEAR(done[0].time.wait_workers, 2 - 1, 1e-12);
  EXPECT_NEAR(done[0].time.wait, 2, 1e-12);
}

// Others compile during the wait for the lock: phases and waits overlap.
TEST_F(SearchSecondsTest, AWaitIsNotLessThanItsParts) {
  measurer_.deferred_results.waits = {{TaskKey(*VectorTask(97)), 3, 1}};
  options_.request.trials = 5;
  const auto done = Run();
  EXPECT_NEAR(done[0].time.wait, 4, 1e-12);
  EXPECT_EQ(done[0].time.wait_workers, 0);
}

TEST_F(SearchSecondsTest, ReferencesThatAreCheckedAtTheEndAreWaitedFor) {
  measurer_.finish = [this] { return measurer_.awaited > 0.35; };
  options_.request.trials = 5;
  const auto done = Run();
  EXPECT_NEAR(done[0].time.wait_workers, 5 * 0.4 + 0.4, 1e-12);
  EXPECT_NEAR(done[0].time.other, 0, 1e-12);
}

TEST_F(SearchSecondsTest, TheRestOfTheTimeIsSharedByTheTasks) {
  // The observer takes a second between trials.
  witness_.on_trial = [&] { clock_.Advance(1); };
  options_.request.trials = 4;
  options_.batch = 2;
  const auto done = Run({97, 89});
  for (const DoneEvent& each : done) EXPECT_NEAR(each.time.other, 2, 1e-12);
  EXPECT_NEAR(done[0].time.Sum() + done[1].time.Sum(), done[0].elapsed, 1e-12);
}

}  // namespace
}  // namespace schedulegym
