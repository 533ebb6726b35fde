#include "experiments/bench/interleaved_benchmark.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

class HandClock : public Clock {
 public:
  double Now() const override { return now; }
  double now = 0;
};

// Contenders that take a fixed time on the given number of processors.
class InterleavedBenchmarkTest : public testing::Test {
 protected:
  InterleavedKernel Make(const std::string& name, double seconds,
                         std::function<double()> processors) {
    return {name, name + " detail", [this, seconds, processors] {
              wall_.now += seconds;
              cpu_.now += seconds * processors();
              ++calls_;
            }};
  }
  InterleavedResult Hold(const std::vector<InterleavedKernel>& contenders, int cores,
                         int attempts = 4) {
    Rng rng(3);
    // Integers have no peak loop, which would not advance these clocks.
    return RunInterleaved(contenders, DType::kI32, cores, {.rounds = 7, .attempts = attempts},
                          {wall_, cpu_}, rng);
  }

  HandClock wall_, cpu_;
  int calls_ = 0;
};

TEST_F(InterleavedBenchmarkTest, ReportsEachInTheOrderGiven) {
  const auto result =
      Hold({Make("ours", 2e-3, [] { return 1; }), Make("theirs", 4e-3, [] { return 1; })}, 1);
  ASSERT_EQ(result.entries.size(), 2);
  EXPECT_EQ(result.entries[0].name, "ours");
  EXPECT_EQ(result.entries[1].detail, "theirs detail");
  EXPECT_NEAR(result.entries[0].seconds, 2e-3, 1e-9);
  EXPECT_NEAR(result.entries[1].seconds, 4e-3, 1e-9);
  EXPECT_EQ(result.entries[0].samples.size(), 7);
  EXPECT_NEAR(result.entries[0].cpu_per_wall, 1, 1e-9);
  EXPECT_FALSE(result.peak_gflops.has_value());
}

TEST_F(InterleavedBenchmarkTest, TheFastestOfANameCounts) {
  const auto one = [] { return 1.0; };
  const auto result = Hold(
      {Make("a", 3e-3, one), Make("b", 1e-3, one), Make("a", 2e-3, one), Make("a", 4e-3, one)}, 1);
  EXPECT_EQ(Fastest(result, "a"), &result.entries[2]);
  EXPECT_EQ(Fastest(result, "b"), &result.entries[1]);
  EXPECT_EQ(Fastest(result, "c"), nullptr);
}

TEST_F(InterleavedBenchmarkTest, TheFastestPlainOneIsFoundBesideTheFastest) {
  const auto one = [] { return 1.0; };
  std::vector<InterleavedKernel> contenders = {Make("a", 1e-3, one), Make("a", 3e-3, one),
                                               Make("a", 2e-3, one)};
  contenders[0].is_plain = false;
  const auto result = Hold(contenders, 1);
  EXPECT_EQ(Fastest(result, "a"), &result.entries[0]);
  EXPECT_EQ(Fastest(result, "a", Layouts::kPlain), &result.entries[2]);
  EXPECT_EQ(Fastest(result, "b", Layouts::kPlain), nullptr);
}

TEST_F(InterleavedBenchmarkTest, TheFastestPlainOneNeedsItsCores) {
  std::vector<InterleavedKernel> contenders = {Make("a", 10e-3, [] { return 2; }),
                                               Make("a", 20e-3, [] { return 1; })};
  contenders[0].is_plain = false;
  EXPECT_TRUE(Hold(contenders, 2, 2).short_of_cores);
}

TEST_F(InterleavedBenchmarkTest, TimesAgainWithoutTheCores) {
  // The machine provides the second processor only from half a second on.
  const auto late = [this] { return wall_.now < 0.5 ? 1.0 : 2.0; };
  const auto result = Hold({Make("ours", 20e-3, late)}, 2, 20);
  EXPECT_GE(wall_.now, 0.5);
  EXPECT_GE(result.entries[0].cpu_per_wall, 1.8);
  EXPECT_FALSE(result.short_of_cores);
}

TEST_F(InterleavedBenchmarkTest, GivesUpAfterAllAttempts) {
  const auto result = Hold({Make("ours", 20e-3, [] { return 1.3; })}, 2, 3);
  EXPECT_NEAR(result.cpu_per_wall, 1.3, 1e-9);
  EXPECT_TRUE(result.short_of_cores);
  // Each attempt takes at least 7 rounds, after a warm-up.
  EXPECT_GE(calls_, 3 * 7);
  EXPECT_LT(calls_, 3 * 2 * 7);
}

TEST_F(InterleavedBenchmarkTest, SlowAlternativesNeedNoCores) {
  Hold({Make("a", 10e-3, [] { return 2; }), Make("a", 20e-3, [] { return 1; })}, 2, 4);
  EXPECT_LT(calls_, 2 * 2 * 7 + 1);  // two contenders, one attempt
}

TEST(InterleavedPeakTest, FloatingTypesHaveAPeak) {
  const SteadyClock clock;
  Rng rng(3);
  const auto result =
      RunInterleaved({{"nothing", "", [] {}}}, DType::kF64, 1,
                     {.rounds = 3, .sample_seconds = 1e-6, .attempts = 1}, {clock, clock}, rng);
  EXPECT_GT(result.peak_gflops.value(), 0);
  EXPECT_NE(result.peak_detail, "");
}

}  // namespace
}  // namespace schedulegym
