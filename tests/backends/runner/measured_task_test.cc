#include "backends/runner/measured_task.h"

#include <gtest/gtest.h>

#include "backends/runner/candidate_trial.h"
#include "tests/env/measure/record_samples.h"

namespace schedulegym {
namespace {

// A reference that took `reference_seconds` beside a candidate.
Timing Beside(double reference_seconds) {
  Timing timing = *SampleTiming(1).timing;
  timing.reference_samples.assign(9, static_cast<float>(reference_seconds));
  return timing;
}

MeasuredTask Knowing() {
  MeasuredTask task;
  for (int i = 0; i < 8; ++i) EXPECT_FALSE(task.IsDisturbed(Beside(1), true, i));
  return task;
}

TEST(MeasuredTaskTest, WhatMattersIsBelievedLess) {
  EXPECT_FALSE(Knowing().IsDisturbed(Beside(1.4), true, 9));
  EXPECT_TRUE(Knowing().IsDisturbed(Beside(1.6), true, 9));
  EXPECT_FALSE(Knowing().IsDisturbed(Beside(1.6), false, 9));
  EXPECT_FALSE(Knowing().IsDisturbed(Beside(2.9), false, 9));
  EXPECT_TRUE(Knowing().IsDisturbed(Beside(3.1), false, 9));
}

TEST(MeasuredTaskTest, AFasterReferenceDisturbsNobody) {
  EXPECT_FALSE(Knowing().IsDisturbed(Beside(0.2), true, 9));
}

TEST(MeasuredTaskTest, WithoutSamplesNothingIsKnown) {
  Timing timing = Beside(9);
  timing.reference_samples.clear();
  EXPECT_FALSE(Knowing().IsDisturbed(timing, true, 9));
}

TEST(MeasuredTaskTest, TheBestIsTheFastestSuccess) {
  MeasuredTask task;
  EXPECT_FALSE(task.WouldBeBest(SampleFailure()));
  EXPECT_TRUE(task.WouldBeBest(SampleTiming(1)));
  task.Note(Key{1, 1}, SampleTiming(2));
  EXPECT_FALSE(task.WouldBeBest(SampleTiming(1)));
  EXPECT_TRUE(task.WouldBeBest(SampleTiming(3)));
  task.Note(Key{1, 2}, SampleTiming(1));
  EXPECT_EQ(task.best->timing->ratio.median, 2);
  EXPECT_EQ(task.best_ratio, 0.99 * 2) << "the interval's lower end";
}

TEST(MeasuredTaskTest, OnlyWhatIsAboutTheCandidateIsKnown) {
  MeasuredTask task;
  Measurement noisy = SampleFailure();
  noisy.outcome = Outcome::kNoisy;
  task.Note(Key{1, 1}, noisy);
  EXPECT_TRUE(task.known.empty());
  task.Note(Key{1, 1}, SampleFailure());
  EXPECT_TRUE(task.known.contains(Key{1, 1}));
  EXPECT_FALSE(task.best.has_value());
}

TEST(CandidateTrialTest, PausesDoubleUntilItWasOftenEnough) {
  CandidateTrial trial;
  for (const double pause : {0.1, 0.2, 0.4, 0.8}) {
    ASSERT_TRUE(trial.Postpone(7));
    EXPECT_DOUBLE_EQ(trial.not_before, 7 + pause);
  }
  EXPECT_FALSE(trial.has_waited);
  EXPECT_FALSE(trial.Postpone(7));
  EXPECT_TRUE(trial.has_waited);
}

}  // namespace
}  // namespace schedulegym
