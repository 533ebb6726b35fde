#include "env/measure/paired_timer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/env/measure/fake_clock.h"

namespace schedulegym {
namespace {

// Callables that take fixed times on a fake clock and write down who was called.
class PairedTimerTest : public testing::Test {
 protected:
  std::function<void()> Kernel(char name, double seconds, double threads = 1) {
    return [this, name, seconds, threads] {
      wall_.Advance(seconds);
      cpu_.Advance(seconds * threads);
      if (calls_.empty() || calls_.back() != name || !merge_) calls_ += name;
    };
  }

  PairedTiming Time(const std::vector<std::function<void()>>& callables, const Protocol& protocol,
                    std::optional<double> best = std::nullopt) {
    return TimeInterleaved(callables, protocol, best, {wall_, cpu_}, rng_);
  }

  // Calls before the first sample of a kernel that takes 6 ms: three to warm up, one to calibrate.
  static constexpr int kPreparing = 4;

  FakeClock wall_, cpu_;
  Rng rng_{3};
  std::string calls_;
  bool merge_ = false;  // runs of calls of one callable count once
};

TEST_F(PairedTimerTest, CalibratesSamplesAndReportsSecondsOfOneCall) {
  const PairedTiming timing = Time({Kernel('a', 2e-4), Kernel('b', 1e-4)}, Protocol());
  ASSERT_EQ(timing.series.size(), 2u);
  // A sample lasts at least 1 ms.
  EXPECT_GE(timing.series[0].calls_per_sample, 5);
  EXPECT_LE(timing.series[0].calls_per_sample, 8);
  EXPECT_GE(timing.series[1].calls_per_sample, 10);
  EXPECT_NEAR(timing.series[0].median_seconds, 2e-4, 1e-9);
  EXPECT_NEAR(timing.series[1].median_seconds, 1e-4, 1e-9);
  EXPECT_NEAR(timing.series[1].ratio.median, 2, 1e-5);
  EXPECT_NEAR(timing.series[0].ratio.median, 1, 1e-6);
  EXPECT_NEAR(timing.series[0].first_call_seconds, 2e-4, 1e-9);
  EXPECT_FALSE(timing.early_reject);
}

TEST_F(PairedTimerTest, StopsAtTheFewestRoundsWhenNothingVaries) {
  const PairedTiming timing = Time({Kernel('a', 2e-4), Kernel('b', 1e-4)}, Protocol());
  EXPECT_EQ(timing.series[0].samples.size(), 15u);
  EXPECT_EQ(timing.series[1].samples.size(), 15u);
}

TEST_F(PairedTimerTest, GoesOnToTheMostRoundsWhenNoisy) {
  Rng noise(5);
  const auto noisy = [&] { wall_.Advance(1e-3 * (1 + noise.Uniform())); };
  const PairedTiming timing = Time({Kernel('a', 1e-3), noisy}, Protocol());
  EXPECT_EQ(timing.series[1].samples.size(), 51u);
}

TEST_F(PairedTimerTest, InterleavesAndMirrors) {
  Protocol protocol;
  protocol.min_rounds = protocol.max_rounds = 4;
  protocol.warmup_calls = 1;
  protocol.warmup_seconds = 1e-9;
  // One call makes a sample: only the rounds' order is left after first call and calibration.
  Time({Kernel('a', 2e-3), Kernel('b', 2e-3)}, protocol);
  ASSERT_EQ(calls_.size(), 2u * 2 + 8);
  const std::string rounds = calls_.substr(4);
  EXPECT_TRUE(rounds == "abbabaab" || rounds == "baababba") << rounds;
}

TEST_F(PairedTimerTest, EveryRoundHasEachOnce) {
  Protocol protocol;
  protocol.min_rounds = protocol.max_rounds = 6;
  merge_ = false;
  protocol.warmup_calls = 1;
  protocol.warmup_seconds = 1e-9;
  Time({Kernel('a', 2e-3), Kernel('b', 2e-3), Kernel('c', 2e-3)}, protocol);
  const std::string rounds = calls_.substr(6);
  ASSERT_EQ(rounds.size(), 18u);
  int first_a = 0;
  for (int round = 0; round < 6; ++round) {
    std::string order = rounds.substr(3 * round, 3);
    first_a += order[0] == 'a';
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, "abc");
  }
  // Six rounds are one whole square and its mirror: each stands first twice.
  EXPECT_EQ(first_a, 2);
}

TEST_F(PairedTimerTest, RejectsTheClearlySlowAfterFewRounds) {
  const PairedTiming slow = Time({Kernel('a', 1e-3), Kernel('b', 1.6e-3)}, Protocol(), 1.0);
  EXPECT_TRUE(slow.early_reject);
  EXPECT_EQ(slow.series[1].samples.size(), 5u);
  const PairedTiming fair = Time({Kernel('a', 1e-3), Kernel('b', 1.4e-3)}, Protocol(), 1.0);
  EXPECT_FALSE(fair.early_reject);
  EXPECT_EQ(fair.series[1].samples.size(), 15u);
}

TEST_F(PairedTimerTest, OneGoodRoundPutsOffTheRejection) {
  // Each sample is one call; the second of the five rounds looks good.
  int calls = 0;
  const auto mixed = [&] { wall_.Advance(++calls == kPreparing + 2 ? 2e-3 : 6e-3); };
  const PairedTiming timing = Time({Kernel('a', 2e-3), mixed}, Protocol(), 1.0);
  EXPECT_TRUE(timing.early_reject);
  // Nine rounds allow one to disagree: P(Binomial(9, 1/2) < 2) = 10 / 512.
  EXPECT_EQ(timing.series[1].samples.size(), 9u);
  EXPECT_LT(timing.series[1].ratio.high, 0.5);
}

TEST_F(PairedTimerTest, HalfGoodRoundsSaveFromIt) {
  int calls = 0;
  const auto mixed = [&] { wall_.Advance(++calls % 2 == 0 ? 2e-3 : 6e-3); };
  EXPECT_FALSE(Time({Kernel('a', 2e-3), mixed}, Protocol(), 1.0).early_reject);
}

TEST_F(PairedTimerTest, NothingIsRejectedWithoutABestOrAgainstTheProtocol) {
  Protocol protocol;
  EXPECT_FALSE(Time({Kernel('a', 1e-3), Kernel('b', 9e-3)}, protocol).early_reject);
  protocol.reject_rounds = 0;
  EXPECT_FALSE(Time({Kernel('a', 1e-3), Kernel('b', 9e-3)}, protocol, 1.0).early_reject);
}

TEST_F(PairedTimerTest, LongKernelsGetFewerRounds) {
  // 0.3 s a round: a second is over after four, seven are the least.
  const PairedTiming timing = Time({Kernel('a', 0.15), Kernel('b', 0.15)}, Protocol());
  EXPECT_EQ(timing.series[0].samples.size(), 7u);
  EXPECT_EQ(timing.series[0].calls_per_sample, 1);
}

TEST_F(PairedTimerTest, AVerySlowKernelIsRejectedAfterTwoRounds) {
  const PairedTiming timing = Time({Kernel('a', 0.1), Kernel('b', 2.0)}, Protocol(), 1.0);
  EXPECT_TRUE(timing.early_reject);
  EXPECT_EQ(timing.series[1].samples.size(), 2u);
}

TEST_F(PairedTimerTest, WarmUpOfLongKernelsEndsByItself) {
  calls_.clear();
  Protocol protocol;
  protocol.min_rounds = protocol.max_rounds = 1;
  Time({Kernel('a', 0.1)}, protocol);
  // First call, calibration, one sample.
  EXPECT_EQ(calls_, "aaa");
}

TEST_F(PairedTimerTest, SaysHowManyCoresWereBusy) {
  const PairedTiming timing = Time({Kernel('a', 1e-3, 1), Kernel('b', 1e-3, 2)}, Protocol());
  EXPECT_NEAR(timing.series[0].cpu_per_wall, 1, 1e-6);
  EXPECT_NEAR(timing.series[1].cpu_per_wall, 2, 1e-6);
}

TEST_F(PairedTimerTest, ACoarseClockNeitherHangsNorDividesByZero) {
  const auto nothing = [] {};
  Protocol protocol;
  protocol.min_rounds = protocol.max_rounds = 3;
  protocol.warmup_seconds = 1e-9;
  const PairedTiming timing = Time({nothing, nothing}, protocol);
  EXPECT_GT(timing.series[0].median_seconds, 0);
  EXPECT_EQ(timing.series[1].samples.size(), 3u);
}

}  // namespace
}  // namespace schedulegym
