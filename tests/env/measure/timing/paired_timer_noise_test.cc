// Error rates of the protocol on a simulated noisy machine; no real time passes.
#include <gtest/gtest.h>

#include <cmath>

#include "env/measure/timing/paired_statistics.h"
#include "env/measure/timing/paired_timer.h"
#include "env/measure/verdict.h"
#include "tests/env/measure/noisy_machine.h"

namespace schedulegym {
namespace {

constexpr int kPairs = 2000;
constexpr double kCall = 1.1e-3;  // a sample is one call

// A machine with drift, changes of speed and disturbances.
NoiseModel Shared(double spread) {
  NoiseModel model;
  model.spread = spread;
  model.drift = 0.1;
  model.step_chance = 0.02;
  return model;
}

// Verdicts of the protocol on two kernels; the second is faster by `planted`.
struct Calls {
  double faster = 0, slower = 0, ordered = 0;  // shares
  double bias = 0;                             // mean error of the logarithm of the ratio
};

Calls CallPairs(const NoiseModel& model, double planted, const Protocol& protocol = Protocol(),
                int pairs = kPairs) {
  Calls calls;
  for (int i = 0; i < pairs; ++i) {
    NoisyMachine machine(model, 1000 + i);
    const PairedTiming timing =
        machine.Time({machine.Kernel(kCall * (1 + planted)), machine.Kernel(kCall)}, protocol);
    const RatioInterval& ratio = timing.series[1].ratio;
    const Verdict verdict = VerdictOf(ratio);
    calls.faster += verdict == Verdict::kFaster;
    calls.slower += verdict == Verdict::kSlower;
    calls.ordered += ratio.median > 1;
    calls.bias += (std::log(ratio.median) - std::log1p(planted)) / pairs;
  }
  for (double* share : {&calls.faster, &calls.slower, &calls.ordered}) *share /= pairs;
  return calls;
}

// The least noise needs only the fewest rounds; the most needs more than the most rounds. The worst
// is between: with 1.7 % of noise most runs stop shortly before the last round.
class EqualKernelsTest : public testing::TestWithParam<double> {};

TEST_P(EqualKernelsTest, AreSeldomCalledDifferent) {
  const Calls calls = CallPairs(Shared(GetParam()), 0);
  EXPECT_LE(calls.faster + calls.slower, 0.065);
  // Neither direction is preferred: 5 standard deviations.
  EXPECT_NEAR(calls.faster, calls.slower, 0.025);
  EXPECT_NEAR(calls.ordered, 0.5, 0.056);
}

INSTANTIATE_TEST_SUITE_P(Noise, EqualKernelsTest, testing::Values(0.002, 0.01, 0.017, 0.03));

TEST(PairedTimerNoiseTest, ARhythmFoolsAFixedOrderOnly) {
  // Many short disturbances take long to simulate: fewer pairs, and a bound of four of their
  // standard deviations.
  constexpr int kFewer = 500;
  // Slows calls for a third of the time, about once in two samples.
  NoiseModel model;
  model.beat_seconds = 1.87e-3;
  const Calls random = CallPairs(model, 0, Protocol(), kFewer);
  EXPECT_LE(random.faster + random.slower, 0.09);
  Protocol fixed;
  fixed.order = RoundOrder::kSquare;
  const Calls square = CallPairs(model, 0, fixed, kFewer);
  EXPECT_GE(square.faster + square.slower, 0.15);
}

TEST(PairedTimerNoiseTest, APlantedDifferenceIsOrderedRight) {
  const NoiseModel model = Shared(0.02);
  const Calls one = CallPairs(model, 0.01);
  EXPECT_GE(one.ordered, 0.94);
  EXPECT_LE(one.slower, 0.001);
  const Calls three = CallPairs(model, 0.03);
  EXPECT_GE(three.ordered, 0.995);
  EXPECT_GE(three.faster, 0.995);
  const Calls ten = CallPairs(model, 0.1);
  EXPECT_EQ(ten.ordered, 1);
  EXPECT_EQ(ten.faster, 1);
}

TEST(PairedTimerNoiseTest, AQuarterOfDisturbedSamplesDoesNotReverseAnOrder) {
  NoiseModel model = Shared(0.02);
  model.spike_chance = 0.25;
  const Calls three = CallPairs(model, 0.03);
  EXPECT_GE(three.ordered, 0.99);
  EXPECT_LE(three.slower, 0.001);
}

TEST(PairedTimerNoiseTest, DriftDoesNotBias) {
  NoiseModel model;
  model.drift = 2;
  EXPECT_NEAR(CallPairs(model, 0).bias, 0, 5e-4);
  // Timed one after the other it would: the drift between two halves of the calls is this large.
  NoisyMachine machine(model, 7);
  Protocol alone;
  alone.min_rounds = alone.max_rounds = 51;
  const std::vector<std::function<void()>> kernel = {machine.Kernel(kCall)};
  const double before = machine.Time(kernel, alone).series[0].median_seconds;
  const double after = machine.Time(kernel, alone).series[0].median_seconds;
  EXPECT_GT(after / before, 1.05);
}

struct Rejections {
  double share = 0;
  double rounds = 0;       // mean
  double worst_error = 0;  // of ln ratio
};

// For candidates slower than the best by the factor `slower`; the reference is the best.
Rejections RejectPairs(const NoiseModel& model, double slower, RejectRule rule) {
  Protocol protocol;
  protocol.reject = rule;
  Rejections rejections;
  for (int i = 0; i < kPairs; ++i) {
    NoisyMachine machine(model, 1000 + i);
    const PairedTiming timing =
        machine.Time({machine.Kernel(kCall), machine.Kernel(kCall * slower)}, protocol, 1.0);
    rejections.share += timing.early_reject;
    const double error = std::abs(std::log(timing.series[1].ratio.median * slower));
    rejections.worst_error = std::max(rejections.worst_error, error);
    rejections.rounds += static_cast<double>(timing.series[1].samples.size()) / kPairs;
  }
  rejections.share /= kPairs;
  return rejections;
}

TEST(PairedTimerNoiseTest, WhatIsAsGoodAsTheBestIsNotRejected) {
  for (const RejectRule rule : {RejectRule::kPublished, RejectRule::kGraded}) {
    EXPECT_LE(RejectPairs(Shared(0.02), 1.0, rule).share, 0.002);
    EXPECT_LE(RejectPairs(Shared(0.02), 0.98, rule).share, 0.002);
  }
  EXPECT_LE(RejectPairs(Shared(0.02), 1.4, RejectRule::kPublished).share, 0.002);
}

// The candidate is rejected, or, if it is near the best, timed no further.
TEST(PairedTimerNoiseTest, WhatIsSlowerIsKnownAsWellAsItsDistanceAsks) {
  for (const double slower : {1.1, 1.2, 1.4}) {
    const Rejections graded = RejectPairs(Shared(0.02), slower, RejectRule::kGraded);
    if (slower > 1.1) {
      EXPECT_GE(graded.share, 0.9) << slower;
    }
    EXPECT_LT(graded.rounds, 12) << slower;
    // The interval may leave half of the distance open.
    EXPECT_LE(graded.worst_error, 0.5 * std::log(slower)) << slower;
  }
}

TEST(PairedTimerNoiseTest, APreemptedCandidateIsNotRejected) {
  // Two busy processes on two cores: many samples wait for their processor.
  NoiseModel busy = Shared(0.02);
  busy.spike_chance = 0.25;
  busy.preempted = 1;
  EXPECT_LE(RejectPairs(busy, 1.0, RejectRule::kGraded).share, 0.01);
}

TEST(PairedTimerNoiseTest, WhatIsClearlySlowGoesSoonerWhenGraded) {
  const NoiseModel model = Shared(0.02);
  const Rejections published = RejectPairs(model, 3, RejectRule::kPublished);
  const Rejections graded = RejectPairs(model, 3, RejectRule::kGraded);
  EXPECT_GE(published.share, 0.9);
  EXPECT_GE(graded.share, 0.999);
  EXPECT_LT(graded.rounds, 2.5);
  EXPECT_GT(published.rounds, 5);
}

}  // namespace
}  // namespace schedulegym
