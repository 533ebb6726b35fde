#include "env/measure/sentinel.h"

#include <gtest/gtest.h>

#include "tests/env/measure/noisy_machine.h"

namespace schedulegym {
namespace {

TEST(SentinelScheduleTest, DueAfterCandidatesOrTime) {
  Protocol protocol;
  protocol.sentinel_candidates = 3;
  protocol.sentinel_seconds = 60;
  SentinelSchedule schedule(protocol, 100);
  EXPECT_FALSE(schedule.IsDue(100));
  EXPECT_FALSE(schedule.IsDue(1000)) << "nothing was measured";
  schedule.OnCandidate();
  EXPECT_FALSE(schedule.IsDue(159));
  EXPECT_TRUE(schedule.IsDue(160));
  schedule.OnCandidate();
  schedule.OnCandidate();
  EXPECT_TRUE(schedule.IsDue(101));
  schedule.OnSentinel(200);
  schedule.OnCandidate();
  EXPECT_FALSE(schedule.IsDue(259));
  EXPECT_TRUE(schedule.IsDue(260));
}

TEST(SentinelScheduleTest, NoneIsNever) {
  Protocol protocol;
  protocol.sentinel_candidates = 0;
  SentinelSchedule schedule(protocol, 0);
  schedule.OnCandidate();
  EXPECT_FALSE(schedule.IsDue(1e6));
}

TEST(IsGoodSentinelTest, ThePublishedRule) {
  const auto good = [](const RatioInterval& ratio) {
    return IsGoodSentinel(ratio, SentinelRule::kPublished, 0.02);
  };
  EXPECT_TRUE(good({1.0, 0.99, 1.01}));
  EXPECT_TRUE(good({1.019, 0.95, 1.1}));
  EXPECT_FALSE(good({1.002, 1.001, 1.003}));
  EXPECT_FALSE(good({0.998, 0.997, 0.999}));
  EXPECT_FALSE(good({1.021, 0.95, 1.1}));
  EXPECT_FALSE(good({0.979, 0.95, 1.1}));
}

TEST(IsGoodSentinelTest, TheTolerantRule) {
  const auto good = [](const RatioInterval& ratio) {
    return IsGoodSentinel(ratio, SentinelRule::kTolerant, 0.02);
  };
  EXPECT_TRUE(good({1.002, 1.001, 1.003}));
  EXPECT_TRUE(good({1.015, 1.0099, 1.02}));
  EXPECT_TRUE(good({0.985, 0.98, 0.9902}));
  EXPECT_FALSE(good({1.015, 1.0101, 1.02}));
  EXPECT_FALSE(good({0.985, 0.98, 0.99}));
  EXPECT_FALSE(good({1.021, 0.95, 1.1}));
  EXPECT_FALSE(good({0.979, 0.95, 1.1}));
}

TEST(JudgeSentinelTest, DriftAsksForNewSecondsAndCondemnsNothing) {
  const Protocol protocol;
  const RatioInterval even;
  EXPECT_EQ(JudgeSentinel(even, 1.02e-3, 1e-3, protocol), (SentinelJudgement{true, false}));
  EXPECT_EQ(JudgeSentinel(even, 1.04e-3, 1e-3, protocol), (SentinelJudgement{true, true}));
  EXPECT_EQ(JudgeSentinel(even, 0.96e-3, 1e-3, protocol), (SentinelJudgement{true, true}));
  EXPECT_EQ(JudgeSentinel({1.03, 1.02, 1.04}, 1e-3, 1e-3, protocol),
            (SentinelJudgement{false, false}));
}

// How sentinels of a simulated machine are judged.
struct Shares {
  double bad_published = 0, bad_tolerant = 0, recalibrated = 0;
};

// `slower`: what all calls take since the calibration. `uneven`: what those of the second alone do.
Shares JudgeMany(const NoiseModel& model, double slower, double uneven) {
  constexpr int kSentinels = 1000;
  constexpr double kCall = 1.1e-3;
  const Protocol protocol;
  Shares shares;
  for (int i = 0; i < kSentinels; ++i) {
    NoisyMachine machine(model, 500 + i);
    const auto before = machine.Time({machine.Kernel(kCall), machine.Kernel(kCall)});
    const auto now =
        machine.Time({machine.Kernel(kCall * slower), machine.Kernel(kCall * slower * uneven)});
    const RatioInterval& ratio = now.series[1].ratio;
    const double tolerance = protocol.sentinel_tolerance;
    shares.bad_published += !IsGoodSentinel(ratio, SentinelRule::kPublished, tolerance);
    const SentinelJudgement judgement = JudgeSentinel(ratio, now.series[0].median_seconds,
                                                      before.series[0].median_seconds, protocol);
    shares.bad_tolerant += !judgement.good;
    shares.recalibrated += judgement.recalibrate;
  }
  for (double* share : {&shares.bad_published, &shares.bad_tolerant, &shares.recalibrated}) {
    *share /= kSentinels;
  }
  return shares;
}

TEST(SentinelNoiseTest, AnUndisturbedStretchIsTrusted) {
  const Shares shares = JudgeMany(NoiseModel(), 1, 1);
  EXPECT_LE(shares.bad_tolerant, 0.002);
  EXPECT_LE(shares.recalibrated, 0.002);
  // Why that rule is not the default.
  EXPECT_GE(shares.bad_published, 0.02);
  EXPECT_LE(shares.bad_published, 0.08);
}

TEST(SentinelNoiseTest, AFivePercentSlowDownIsNoticedAndIsNoOnesFault) {
  const Shares shares = JudgeMany(NoiseModel(), 1.05, 1);
  EXPECT_GE(shares.recalibrated, 0.99);
  EXPECT_LE(shares.bad_tolerant, 0.002);
}

TEST(SentinelNoiseTest, WhatHitsOneSideOnlyIsSuspect) {
  const Shares shares = JudgeMany(NoiseModel(), 1, 1.05);
  EXPECT_GE(shares.bad_tolerant, 0.99);
}

}  // namespace
}  // namespace schedulegym
