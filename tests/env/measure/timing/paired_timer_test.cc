#include "env/measure/timing/paired_timer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/env/measure/fake_clock.h"

namespace schedulegym {
namespace {

// Callables with fixed times on a fake clock, which log their calls.
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
                    std::optional<double> best = std::nullopt, const TimingOptions& options = {}) {
    return TimeInterleaved(callables, protocol, best, {wall_, cpu_}, rng_, options);
  }

  static Protocol BySigns() {
    Protocol protocol;
    protocol.interval = IntervalRule::kSign;
    return protocol;
  }

  // Calls before the first sample of a kernel that takes 6 ms: the first and one to warm up.
  static constexpr int kPreparing = 2;

  // Number of rounds for a candidate that takes `factor` times as long as the best.
  size_t RoundsUntilRejected(double factor) {
    const PairedTiming timing =
        Time({Kernel('a', 6e-3), Kernel('b', 6e-3 * factor)}, Protocol(), 1.0);
    EXPECT_TRUE(timing.early_reject);
    return timing.series[1].samples.size();
  }

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

TEST_F(PairedTimerTest, OneNarrowIntervalIsNotEnough) {
  // The first four rounds are off. The interval begins at the fourth smallest of 15 or 16 and at
  // the fifth of 17, so that it excludes them from then on.
  int calls = 0;
  const auto uneven = [&] { wall_.Advance(++calls - kPreparing <= 4 ? 9e-3 : 6e-3); };
  EXPECT_EQ(Time({Kernel('a', 6e-3), uneven}, BySigns()).series[1].samples.size(), 18u);
  Protocol at_once = BySigns();
  at_once.settled_rounds = 1;
  calls = 0;
  EXPECT_EQ(Time({Kernel('a', 6e-3), uneven}, at_once).series[1].samples.size(), 17u);
}

TEST_F(PairedTimerTest, ByVariationThreeSamplesMayDo) {
  Protocol protocol;
  protocol.settle = SettleRule::kVariation;
  EXPECT_EQ(Time({Kernel('a', 6e-3), Kernel('b', 6e-3)}, protocol).series[1].samples.size(), 3u);
  // The candidate takes 1.5, 1, 1, 1, 1 times 6 ms; after trimming, the fifth makes them equal.
  int calls = 0;
  const auto uneven = [&] { wall_.Advance(++calls - kPreparing <= 1 ? 9e-3 : 6e-3); };
  EXPECT_EQ(Time({Kernel('a', 6e-3), uneven}, protocol).series[1].samples.size(), 5u);
}

TEST_F(PairedTimerTest, GoesOnToTheMostRoundsWhenNoisy) {
  Rng noise(5);
  const auto noisy = [&] { wall_.Advance(1e-3 * (1 + noise.Uniform())); };
  const PairedTiming timing = Time({Kernel('a', 1e-3), noisy}, Protocol());
  EXPECT_EQ(timing.series[1].samples.size(), 101u);
}

TEST_F(PairedTimerTest, WhatLooksBestHasMoreRounds) {
  Rng noise(5);
  const auto noisy = [&] { wall_.Advance(1e-3 * (1 + noise.Uniform())); };
  const std::vector<std::function<void()>> both = {Kernel('a', 1e-3), noisy};
  Protocol patient;
  patient.reject_rounds = 0;
  // About two thirds of the reference's speed.
  EXPECT_EQ(Time(both, patient, 0.6).series[1].samples.size(), 101u);
  EXPECT_EQ(Time(both, patient, 0.9).series[1].samples.size(), 51u);
}

TEST_F(PairedTimerTest, WhatIsWarmIsTimedAtOnce) {
  const std::vector<std::function<void()>> both = {Kernel('a', 2e-3), Kernel('b', 1e-4)};
  const std::vector<WarmUp> warm = WarmUpEach(both, Protocol(), {wall_, cpu_});
  ASSERT_EQ(warm.size(), 2u);
  EXPECT_EQ(warm[0].calls_per_sample, 1);
  EXPECT_GE(warm[1].calls_per_sample, 10);
  EXPECT_NEAR(warm[1].first_call_seconds, 1e-4, 1e-9);
  const PairedTiming cold = Time(both, Protocol());
  calls_.clear();
  TimingOptions options;
  options.warm = warm;
  const PairedTiming timing = Time(both, Protocol(), std::nullopt, options);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(timing.series[i].calls_per_sample, cold.series[i].calls_per_sample);
    EXPECT_EQ(timing.series[i].first_call_seconds, warm[i].first_call_seconds);
    EXPECT_EQ(timing.series[i].samples.size(), 15u);
  }
  EXPECT_EQ(std::count(calls_.begin(), calls_.end(), 'a'), 15);
  options.warm.pop_back();
  EXPECT_THROW(Time(both, Protocol(), std::nullopt, options), std::logic_error);
}

TEST_F(PairedTimerTest, RanksNeedFewerRoundsThanSigns) {
  const auto rounds = [&](const Protocol& protocol) {
    Rng noise(5);
    const auto noisy = [&] { wall_.Advance(1e-3 * (1 + 0.06 * noise.Uniform())); };
    return Time({Kernel('a', 1e-3), noisy}, protocol).series[1].samples.size();
  };
  EXPECT_LT(rounds(Protocol()), rounds(BySigns()));
}

TEST_F(PairedTimerTest, ASquareInterleavesAndMirrors) {
  Protocol protocol;
  protocol.order = RoundOrder::kSquare;
  protocol.min_rounds = protocol.max_rounds = 4;
  protocol.warmup_calls = 1;
  protocol.warmup_seconds = 1e-9;
  // One call makes a sample: after first call and calibration only the rounds' order is left.
  Time({Kernel('a', 2e-3), Kernel('b', 2e-3)}, protocol);
  ASSERT_EQ(calls_.size(), 2u * 2 + 8);
  const std::string rounds = calls_.substr(4);
  EXPECT_TRUE(rounds == "abbabaab" || rounds == "baababba") << rounds;
}

TEST_F(PairedTimerTest, EveryRoundOfASquareHasEachOnce) {
  Protocol protocol;
  protocol.order = RoundOrder::kSquare;
  protocol.min_rounds = protocol.max_rounds = 6;
  merge_ = false;
  protocol.warmup_calls = 1;
  protocol.warmup_seconds = 1e-9;
  Time({Kernel('a', 2e-3), Kernel('b', 2e-3), Kernel('c', 2e-3)}, protocol);
  const std::string rounds = calls_.substr(6);
  ASSERT_EQ(rounds.size(), 18u);
  int first_a = 0;
  for (size_t round = 0; round < 6; ++round) {
    std::string order = rounds.substr(3 * round, 3);
    first_a += order[0] == 'a';
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, "abc");
  }
  // Six rounds are one whole square and its mirror: each stands first twice.
  EXPECT_EQ(first_a, 2);
}

TEST_F(PairedTimerTest, ARandomOrderIsDrawnForEveryRound) {
  Protocol protocol;
  protocol.min_rounds = protocol.max_rounds = 120;
  protocol.warmup_calls = 1;
  protocol.warmup_seconds = 1e-9;
  Time({Kernel('a', 2e-3), Kernel('b', 2e-3), Kernel('c', 2e-3)}, protocol);
  std::map<std::string, int> orders;
  for (int round = 0; round < 120; ++round) ++orders[calls_.substr(6 + 3 * round, 3)];
  // Each of the six is expected 20 times; 4 is four standard deviations fewer.
  for (const char* order : {"abc", "acb", "bac", "bca", "cab", "cba"}) EXPECT_GT(orders[order], 4);
  EXPECT_EQ(orders.size(), 6u);
}

// Two percent slower than the best with four percent of noise. The interval is wide when it first
// lies below the best, and further rounds would not change that.
TEST_F(PairedTimerTest, WhatIsSurelyNotTheBestIsTimedNoFurther) {
  const auto run = [&](RejectRule rule, double best) {
    Rng noise(5);
    const auto noisy = [&] { wall_.Advance(1e-3 * (1 + 0.04 * noise.Uniform())); };
    Protocol protocol;
    protocol.reject = rule;
    protocol.precision = 0.001;
    protocol.beaten_margin = 0;
    return Time({Kernel('a', 1e-3), noisy}, protocol, best);
  };
  const PairedTiming graded = run(RejectRule::kGraded, 1.0);
  EXPECT_FALSE(graded.early_reject);
  EXPECT_GE(graded.series[1].samples.size(), 10u);
  EXPECT_LE(graded.series[1].samples.size(), 20u);
  EXPECT_LT(graded.series[1].ratio.high, 1.0);
  EXPECT_EQ(run(RejectRule::kPublished, 1.0).series[1].samples.size(), 51u);
  EXPECT_EQ(run(RejectRule::kGraded, 0.98).series[1].samples.size(), 51u);
}

// Five percent slower with ten percent of noise, against a best whose interval begins at 0.955: its
// middle is 0.9645. A candidate whose interval ends below that will not become the best.
TEST_F(PairedTimerTest, TheBestsMiddleDecidesWhatIsTimedFurther) {
  const auto rounds = [&](std::optional<double> best) {
    Rng noise(7);
    const auto noisy = [&] { wall_.Advance(1e-3 * (1 + 0.1 * noise.Uniform())); };
    const PairedTiming timing = Time({Kernel('a', 1e-3), noisy}, Protocol(), best);
    EXPECT_FALSE(timing.early_reject);
    return timing.series[1].samples.size();
  };
  EXPECT_GE(rounds(0.955), 10u);
  EXPECT_LT(rounds(0.955), rounds(0.94));
}

// As fast as the best's middle, with four percent of noise: after so many rounds it may be better,
// but only slightly.
TEST_F(PairedTimerTest, WhatIsHardlyBetterThanTheBestIsTimedNoFurther) {
  const auto rounds = [&](double margin) {
    Rng noise(7);
    const auto noisy = [&] { wall_.Advance(1e-3 * (0.98 + 0.04 * noise.Uniform())); };
    Protocol protocol;
    protocol.precision = 0.001;
    protocol.beaten_margin = margin;
    const PairedTiming timing = Time({Kernel('a', 1e-3), noisy}, protocol, 1.0);
    EXPECT_FALSE(timing.early_reject);
    return timing.series[1].samples.size();
  };
  EXPECT_EQ(rounds(0.1), 10u);
  EXPECT_GT(rounds(0), 10u);
}

TEST_F(PairedTimerTest, RejectsTheClearlySlowAfterFewRounds) {
  const PairedTiming slow = Time({Kernel('a', 1e-3), Kernel('b', 1.6e-3)}, Protocol(), 1.0);
  EXPECT_TRUE(slow.early_reject);
  EXPECT_EQ(slow.series[1].samples.size(), 5u);
  const PairedTiming fair = Time({Kernel('a', 1e-3), Kernel('b', 1.4e-3)}, Protocol(), 1.0);
  // 1 + 0.5 (5 / 6)^2 = 1.35.
  EXPECT_TRUE(fair.early_reject);
  EXPECT_EQ(fair.series[1].samples.size(), 6u);
  const PairedTiming near = Time({Kernel('a', 1e-3), Kernel('b', 1.02e-3)}, Protocol(), 1.0);
  EXPECT_FALSE(near.early_reject);
}

TEST_F(PairedTimerTest, AVagueIntervalIsNotSurelySlower) {
  // 1.6 times as slow, except for every fourth round, which is better than the best.
  int calls = 0;
  const auto mixed = [&] { wall_.Advance(++calls % 4 == 0 ? 1.9e-3 : 3.2e-3); };
  const PairedTiming timing = Time({Kernel('a', 2e-3), mixed}, BySigns(), 1.0);
  EXPECT_TRUE(timing.early_reject);
  EXPECT_GT(timing.series[1].samples.size(), 10u);
}

TEST_F(PairedTimerTest, TheClearerTheFewerRounds) {
  // 1.5 to the power of 5 / rounds: 1.66 after four rounds, 1.97 after three, 2.76 after two.
  EXPECT_EQ(RoundsUntilRejected(1.7), 4u);
  EXPECT_EQ(RoundsUntilRejected(2.0), 3u);
  EXPECT_EQ(RoundsUntilRejected(2.7), 3u);
  EXPECT_EQ(RoundsUntilRejected(2.8), 2u);
  EXPECT_EQ(RoundsUntilRejected(100), 2u);
}

TEST_F(PairedTimerTest, FewRoundsRejectOnlyWhatTheProcessorTimeConfirms) {
  // Three times the wall time with the same processor time: it waited for its processor.
  const PairedTiming waiting = Time({Kernel('a', 6e-3), Kernel('b', 18e-3, 1.0 / 3)}, {}, 1.0);
  EXPECT_TRUE(waiting.early_reject);
  EXPECT_EQ(waiting.series[1].samples.size(), 5u);
}

TEST_F(PairedTimerTest, ThePublishedRuleLooksOnce) {
  Protocol published;
  published.reject = RejectRule::kPublished;
  const PairedTiming slow = Time({Kernel('a', 1e-3), Kernel('b', 9e-3)}, published, 1.0);
  EXPECT_TRUE(slow.early_reject);
  EXPECT_EQ(slow.series[1].samples.size(), 5u);
  int calls = 0;
  const auto mixed = [&] { wall_.Advance(++calls == kPreparing + 2 ? 6e-3 : 18e-3); };
  EXPECT_FALSE(Time({Kernel('a', 6e-3), mixed}, published, 1.0).early_reject);
}

TEST_F(PairedTimerTest, OneGoodRoundPutsOffTheRejection) {
  // Each sample is one call; the second of the five rounds looks good.
  int calls = 0;
  const auto mixed = [&] { wall_.Advance(++calls == kPreparing + 2 ? 2e-3 : 6e-3); };
  const PairedTiming timing = Time({Kernel('a', 2e-3), mixed}, BySigns(), 1.0);
  EXPECT_TRUE(timing.early_reject);
  // Nine rounds allow one to disagree: P(Binomial(9, 1/2) < 2) = 10 / 512.
  EXPECT_EQ(timing.series[1].samples.size(), 9u);
  EXPECT_LT(timing.series[1].ratio.high, 0.5);
}

TEST_F(PairedTimerTest, HalfGoodRoundsSaveFromIt) {
  int calls = 0;
  const auto mixed = [&] { wall_.Advance(++calls % 2 == 0 ? 2e-3 : 6e-3); };
  EXPECT_FALSE(Time({Kernel('a', 2e-3), mixed}, BySigns(), 1.0).early_reject);
}

TEST_F(PairedTimerTest, NothingIsRejectedWithoutABestOrAgainstTheProtocol) {
  Protocol protocol;
  EXPECT_FALSE(Time({Kernel('a', 1e-3), Kernel('b', 9e-3)}, protocol).early_reject);
  protocol.reject_rounds = 0;
  EXPECT_FALSE(Time({Kernel('a', 1e-3), Kernel('b', 9e-3)}, protocol, 1.0).early_reject);
}

TEST_F(PairedTimerTest, LongKernelsGetFewerRounds) {
  // 0.3 s a round: four rounds exceed a second; seven are the minimum.
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

TEST_F(PairedTimerTest, WarmUpTakesCallsAndTime) {
  Protocol protocol;
  protocol.min_rounds = protocol.max_rounds = 1;
  // 2 ms: besides the first call, three more for 5 ms; a sample is one call.
  Time({Kernel('a', 2e-3)}, protocol);
  EXPECT_EQ(calls_, "aaaaa");
  calls_.clear();
  protocol.warmup_calls = 7;
  Time({Kernel('a', 2e-3)}, protocol);
  EXPECT_EQ(calls_, "aaaaaaaa");
}

// Earlier calls count, but two calls on the tensors of the timing remain; after them one long call
// is enough.
TEST_F(PairedTimerTest, WhatWasCalledBeforeIsWarmSooner) {
  Protocol protocol;
  protocol.min_rounds = protocol.max_rounds = 1;
  TimingOptions options;
  options.credit = {{.calls = 4, .seconds = 8e-3}};
  Time({Kernel('a', 2e-3)}, protocol, {}, options);
  EXPECT_EQ(calls_, "aaa");
  calls_.clear();
  // The time is too short: two calls more than for the tensors alone.
  options.credit = {{.calls = 4, .seconds = 0}};
  Time({Kernel('a', 2e-3)}, protocol, {}, options);
  EXPECT_EQ(calls_, "aaaaa");
  calls_.clear();
  options.credit = {{.calls = 4, .seconds = 4e-1}};
  Time({Kernel('a', 0.1)}, protocol, {}, options);
  EXPECT_EQ(calls_, "aa");
}

TEST_F(PairedTimerTest, WhatWasCalibratedBeforeIsCalledTwice) {
  Protocol protocol;
  protocol.min_rounds = protocol.max_rounds = 1;
  TimingOptions options;
  options.credit = {{.calls_per_sample = 3}};
  const PairedTiming timing = Time({Kernel('a', 4e-4)}, protocol, {}, options);
  EXPECT_EQ(calls_, "aaaaa");
  EXPECT_EQ(timing.series[0].calls_per_sample, 3);
}

// On a disturbed machine an earlier call took so long that three made a sample.
TEST_F(PairedTimerTest, WhatMakesNoSampleAnyMoreIsCalibratedAnew) {
  Protocol protocol;
  protocol.min_rounds = protocol.max_rounds = 1;
  TimingOptions options;
  options.credit = {{.calls_per_sample = 3}};
  const PairedTiming timing = Time({Kernel('a', 1e-5)}, protocol, {}, options);
  EXPECT_NEAR(static_cast<double>(timing.series[0].calls_per_sample), 120, 1);
}

TEST_F(PairedTimerTest, ADisturbedCallNeitherEndsTheWarmUpNorCalibrates) {
  int calls = 0;
  Protocol protocol;
  protocol.min_rounds = protocol.max_rounds = 1;
  // The first call is cold and the second is disturbed; the true time is 0.1 ms.
  const auto disturbed = [&] { wall_.Advance(++calls == 1 ? 4e-3 : calls == 2 ? 20e-3 : 1e-4); };
  const int64_t calls_per_sample = Time({disturbed}, protocol).series[0].calls_per_sample;
  EXPECT_NEAR(static_cast<double>(calls_per_sample), 12, 1);
  // The first call, the disturbed one, a third one for the calibration, and the sample.
  EXPECT_EQ(calls, 3 + calls_per_sample);
}

// A clock whose readings take time.
class SlowClock : public Clock {
 public:
  explicit SlowClock(double reading) : reading_(reading) {}
  double Now() const override { return now_ += reading_; }
  void Advance(double seconds) { now_ += seconds; }

 private:
  double reading_;
  mutable double now_ = 0;
};

TEST_F(PairedTimerTest, ACostlyClockLengthensTheSamples) {
  const SlowClock slow(1e-5);
  SlowClock& clock = const_cast<SlowClock&>(slow);
  const std::vector<std::function<void()>> kernel = {[&] { clock.Advance(1e-4); }};
  const PairedTiming timing = TimeInterleaved(kernel, Protocol(), std::nullopt, {slow, cpu_}, rng_);
  // 1000 readings take 10 ms.
  EXPECT_GE(static_cast<double>(timing.series[0].calls_per_sample) * 1e-4, 1e-2);
  EXPECT_NEAR(timing.series[0].median_seconds, 1e-4, 1e-7);
}

TEST_F(PairedTimerTest, VeryShortCallsAreCountedByTheTens) {
  Protocol protocol;
  protocol.min_rounds = protocol.max_rounds = 1;
  const PairedTiming timing = Time({Kernel('a', 1e-7)}, protocol);
  EXPECT_NEAR(static_cast<double>(timing.series[0].calls_per_sample), 12000, 2);
}

TEST_F(PairedTimerTest, ColdSamplesAreSingleCallsAfterAWalk) {
  TimingOptions cold;
  cold.between_samples = [this] {
    wall_.Advance(0.5);
    calls_ += '.';
  };
  Protocol protocol;
  protocol.min_rounds = protocol.max_rounds = 2;
  const PairedTiming timing =
      Time({Kernel('a', 1e-4), Kernel('b', 2e-4)}, protocol, std::nullopt, cold);
  EXPECT_EQ(calls_.find('.'), calls_.size() - 8);
  for (size_t i = calls_.size() - 8; i < calls_.size(); i += 2) EXPECT_EQ(calls_[i], '.');
  EXPECT_EQ(timing.series[1].calls_per_sample, 1);
  EXPECT_NEAR(timing.series[1].median_seconds, 2e-4, 1e-9) << "the walk is not timed";
}

TEST_F(PairedTimerTest, TheWalkTakesNothingOfTheTime) {
  TimingOptions cold;
  cold.between_samples = [this] { wall_.Advance(10); };
  const PairedTiming timing =
      Time({Kernel('a', 1e-4), Kernel('b', 1e-4)}, Protocol(), std::nullopt, cold);
  EXPECT_EQ(timing.series[0].samples.size(), 15u);
}

TEST_F(PairedTimerTest, EventsAreThoseOfOneCall) {
  Counters events;
  TimingOptions counting;
  counting.read_counters = [&] { return events; };
  const auto kernel = [&](double instructions) {
    return [this, &events, instructions] {
      wall_.Advance(2e-4);
      events.instructions += instructions;
      events.cycles += 2 * instructions;
    };
  };
  const PairedTiming timing = Time({kernel(300), kernel(500)}, {}, std::nullopt, counting);
  EXPECT_EQ(timing.series[0].counters, (Counters{300, 600}));
  EXPECT_EQ(timing.series[1].counters, (Counters{500, 1000}));
  EXPECT_FALSE(Time({kernel(1)}, {}).series[0].counters);
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
