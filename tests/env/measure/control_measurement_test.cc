#include "env/measure/control_measurement.h"

#include <gtest/gtest.h>

#include "tests/env/measure/noisy_machine.h"

namespace schedulegym {
namespace {

TEST(ControlScheduleTest, DueAfterCandidatesOrTime) {
  Protocol protocol;
  protocol.control_candidates = 3;
  protocol.control_seconds = 60;
  ControlSchedule schedule(protocol, 100);
  EXPECT_FALSE(schedule.IsDue(100));
  EXPECT_FALSE(schedule.IsDue(1000)) << "nothing was measured";
  schedule.OnCandidate();
  EXPECT_FALSE(schedule.IsDue(159));
  EXPECT_TRUE(schedule.IsDue(160));
  schedule.OnCandidate();
  schedule.OnCandidate();
  EXPECT_TRUE(schedule.IsDue(101));
  schedule.OnControl(200);
  schedule.OnCandidate();
  EXPECT_FALSE(schedule.IsDue(259));
  EXPECT_TRUE(schedule.IsDue(260));
}

TEST(ControlScheduleTest, NoneIsNever) {
  Protocol protocol;
  protocol.control_candidates = 0;
  ControlSchedule schedule(protocol, 0);
  schedule.OnCandidate();
  EXPECT_FALSE(schedule.IsDue(1e6));
}

TEST(IsGoodControlTest, ThePublishedRule) {
  const auto good = [](const RatioInterval& ratio) {
    return IsGoodControl(ratio, ControlRule::kPublished, 0.02);
  };
  EXPECT_TRUE(good({1.0, 0.99, 1.01}));
  EXPECT_TRUE(good({1.019, 0.95, 1.1}));
  EXPECT_FALSE(good({1.002, 1.001, 1.003}));
  EXPECT_FALSE(good({0.998, 0.997, 0.999}));
  EXPECT_FALSE(good({1.021, 0.95, 1.1}));
  EXPECT_FALSE(good({0.979, 0.95, 1.1}));
}

TEST(IsGoodControlTest, TheTolerantRule) {
  const auto good = [](const RatioInterval& ratio) {
    return IsGoodControl(ratio, ControlRule::kTolerant, 0.02);
  };
  EXPECT_TRUE(good({1.002, 1.001, 1.003}));
  EXPECT_TRUE(good({1.015, 1.0099, 1.02}));
  EXPECT_TRUE(good({0.985, 0.98, 0.9902}));
  EXPECT_FALSE(good({1.015, 1.0101, 1.02}));
  EXPECT_FALSE(good({0.985, 0.98, 0.99}));
  EXPECT_FALSE(good({1.021, 0.95, 1.1}));
  EXPECT_FALSE(good({0.979, 0.95, 1.1}));
}

TEST(EvaluateControlTest, DriftAsksForNewSecondsAndCondemnsNothing) {
  const Protocol protocol;
  const RatioInterval even;
  EXPECT_EQ(EvaluateControl(even, 1.02e-3, 1e-3, protocol), (ControlEvaluation{true, false}));
  EXPECT_EQ(EvaluateControl(even, 1.04e-3, 1e-3, protocol), (ControlEvaluation{true, true}));
  EXPECT_EQ(EvaluateControl(even, 0.96e-3, 1e-3, protocol), (ControlEvaluation{true, true}));
  EXPECT_EQ(EvaluateControl({1.03, 1.02, 1.04}, 1e-3, 1e-3, protocol),
            (ControlEvaluation{false, false}));
}

// Shares of the verdicts on control measurements of a simulated machine.
struct Shares {
  double bad_published = 0, bad_tolerant = 0, recalibrated = 0;
};

// `slower`: factor on all calls since the calibration. `uneven`: factor on the second's calls only.
Shares EvaluateMany(const NoiseModel& model, double slower, double uneven) {
  constexpr int kControls = 1000;
  constexpr double kCall = 1.1e-3;
  const Protocol protocol;
  Shares shares;
  for (int i = 0; i < kControls; ++i) {
    NoisyMachine machine(model, 500 + i);
    const auto before = machine.Time({machine.Kernel(kCall), machine.Kernel(kCall)});
    const auto now =
        machine.Time({machine.Kernel(kCall * slower), machine.Kernel(kCall * slower * uneven)});
    const RatioInterval& ratio = now.series[1].ratio;
    const double tolerance = protocol.control_tolerance;
    shares.bad_published += !IsGoodControl(ratio, ControlRule::kPublished, tolerance);
    const ControlEvaluation evaluation = EvaluateControl(ratio, now.series[0].median_seconds,
                                                         before.series[0].median_seconds, protocol);
    shares.bad_tolerant += !evaluation.good;
    shares.recalibrated += evaluation.recalibrate;
  }
  for (double* share : {&shares.bad_published, &shares.bad_tolerant, &shares.recalibrated}) {
    *share /= kControls;
  }
  return shares;
}

TEST(ControlNoiseTest, AnUndisturbedStretchIsTrusted) {
  const Shares shares = EvaluateMany(NoiseModel(), 1, 1);
  EXPECT_LE(shares.bad_tolerant, 0.002);
  EXPECT_LE(shares.recalibrated, 0.002);
  // The reason why that rule is not the default.
  EXPECT_GE(shares.bad_published, 0.02);
  EXPECT_LE(shares.bad_published, 0.08);
}

TEST(ControlNoiseTest, AFivePercentSlowDownIsNoticedAndIsNoOnesFault) {
  const Shares shares = EvaluateMany(NoiseModel(), 1.05, 1);
  EXPECT_GE(shares.recalibrated, 0.99);
  EXPECT_LE(shares.bad_tolerant, 0.002);
}

TEST(ControlNoiseTest, WhatHitsOneSideOnlyIsSuspect) {
  const Shares shares = EvaluateMany(NoiseModel(), 1, 1.05);
  EXPECT_GE(shares.bad_tolerant, 0.99);
}

}  // namespace
}  // namespace schedulegym
