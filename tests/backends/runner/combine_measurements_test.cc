#include "backends/runner/timing_rules.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

// A process in which every round has the same ratio to a reference of one millisecond.
Timing Steady(double ratio, size_t rounds) {
  Timing timing;
  timing.ratio = {ratio, ratio, ratio};
  timing.seconds = 1e-3 / ratio;
  timing.samples.assign(rounds, static_cast<float>(1e-3 / ratio));
  timing.reference_samples.assign(rounds, 1e-3F);
  timing.cpu_per_wall = 1;
  return timing;
}

TEST(CombineTimingsTest, OneStaysAsItIs) {
  const Timing timing = Steady(2, 101);
  const Timing combined = CombineTimings({&timing, 1});
  EXPECT_EQ(combined.samples, timing.samples);
  EXPECT_NEAR(combined.ratio.median, 2, 1e-6);
  EXPECT_NEAR(combined.seconds, 5e-4, 1e-9);
}

TEST(CombineTimingsTest, TheRatioIsTheMedianOverAllRounds) {
  const std::vector<Timing> timings = {Steady(1.0, 101), Steady(1.1, 101), Steady(1.5, 101)};
  const Timing combined = CombineTimings(timings);
  EXPECT_NEAR(combined.ratio.median, 1.1, 1e-6);
  EXPECT_NEAR(combined.seconds, 1e-3 / 1.1, 1e-9);
  EXPECT_LE(combined.ratio.low, combined.ratio.median);
  EXPECT_GE(combined.ratio.high, combined.ratio.median);
}

TEST(CombineTimingsTest, NoMoreSamplesThanARecordHolds) {
  const std::vector<Timing> timings = {Steady(1, 128), Steady(2, 128), Steady(3, 128)};
  const Timing combined = CombineTimings(timings);
  EXPECT_EQ(combined.samples.size(), 303u);
  EXPECT_EQ(combined.reference_samples.size(), 303u);
  // A third from each process.
  EXPECT_FLOAT_EQ(combined.samples[0], 1e-3F);
  EXPECT_FLOAT_EQ(combined.samples[101], 5e-4F);
  EXPECT_FLOAT_EQ(combined.samples[302], 1e-3F / 3);
}

TEST(CombineTimingsTest, WhatDisturbedOneDisturbedAll) {
  std::vector<Timing> timings = {Steady(1, 15), Steady(1, 15)};
  timings[1].short_of_threads = true;
  EXPECT_TRUE(CombineTimings(timings).short_of_threads);
}

// A measurement in a process whose reference takes `milliseconds`.
Measurement InProcess(float milliseconds, double ratio) {
  Measurement measurement;
  measurement.outcome = Outcome::kOk;
  measurement.timing = Steady(ratio, 101);
  measurement.timing->reference_samples.assign(101, milliseconds * 1e-3F);
  return measurement;
}

TEST(CalmestOfTest, SlowReferencesAreLeftOutWhateverTheRatios) {
  const std::vector<Measurement> all = {InProcess(1.1F, 7), InProcess(5, 1.2), InProcess(1, 8),
                                        InProcess(1.2F, 9)};
  EXPECT_EQ(CalmestOf(std::span(all).first(3), 3), std::nullopt);
  const auto calm = CalmestOf(all, 3);
  ASSERT_TRUE(calm.has_value());
  EXPECT_EQ((*calm)[0].timing->ratio.median, 8);
  EXPECT_EQ((*calm)[1].timing->ratio.median, 7);
  EXPECT_EQ((*calm)[2].timing->ratio.median, 9);
}

TEST(CalmestOfTest, AQuarterIsNoMoreThanWhereMemoryLies) {
  const std::vector<Measurement> near = {InProcess(1, 1), InProcess(1.2F, 1)};
  EXPECT_TRUE(CalmestOf(near, 2).has_value());
  const std::vector<Measurement> far = {InProcess(1, 1), InProcess(1.3F, 1)};
  EXPECT_FALSE(CalmestOf(far, 2).has_value());
  EXPECT_TRUE(CalmestOf(far, 1).has_value());
  EXPECT_FALSE(CalmestOf(near, 3).has_value());
}

TEST(CombineMeasurementsTest, SecondsAddUpAndTimingsAreOne) {
  std::vector<Measurement> measurements(3);
  for (int i = 0; i < 3; ++i) {
    measurements[i].outcome = Outcome::kOk;
    measurements[i].timing = Steady(1 + 0.1 * i, 101);
    measurements[i].phases = {0.5, 0.25, 1};
    measurements[i].stderr_tail = std::to_string(i);
  }
  const Measurement combined = CombineMeasurements(measurements);
  EXPECT_TRUE(combined.ok());
  EXPECT_NEAR(combined.timing->ratio.median, 1.1, 1e-6);
  EXPECT_EQ(combined.phases.compile, 1.5);
  EXPECT_EQ(combined.phases.verify, 0.75);
  EXPECT_EQ(combined.phases.measure, 3);
  EXPECT_EQ(combined.stderr_tail, "0");
}

}  // namespace
}  // namespace schedulegym
