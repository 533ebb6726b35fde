#include "env/measure/timing/paired_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "env/base/rng.h"

namespace schedulegym {
namespace {

TEST(MedianTest, OddAndEven) {
  EXPECT_EQ(Median({3, 1, 2}), 2);
  EXPECT_EQ(Median({4, 1, 2, 10}), 3);
  EXPECT_EQ(Median({7}), 7);
  EXPECT_THROW(Median({}), std::logic_error);
}

// P(Binomial(n, 1/2) < r) by summing over all subsets' sizes.
double BelowProbability(int n, int r) {
  double sum = 0;
  double choose = 1;
  for (int k = 0; k < r; ++k) {
    sum += choose;
    choose = choose * (n - k) / (k + 1);
  }
  return sum / std::pow(2.0, n);
}

TEST(SignTestRankTest, IsTheLargestRankThatKeepsEachTail) {
  for (int n = 6; n <= 128; ++n) {
    const int rank = SignTestRank(n);
    EXPECT_LE(BelowProbability(n, rank), 0.025) << n;
    EXPECT_GT(BelowProbability(n, rank + 1), 0.025) << n;
  }
}

TEST(SignTestRankTest, TabulatedValues) {
  // From the usual tables of the two-sided sign test at 5 %.
  EXPECT_EQ(SignTestRank(6), 1);
  EXPECT_EQ(SignTestRank(9), 2);
  EXPECT_EQ(SignTestRank(15), 4);
  EXPECT_EQ(SignTestRank(20), 6);
  EXPECT_EQ(SignTestRank(51), 19);
  EXPECT_EQ(SignTestRank(1), 1);
  EXPECT_EQ(SignTestRank(5), 1);
}

TEST(SignedRankRankTest, TabulatedValues) {
  // One more than the usual tables' largest sum of ranks that is significant at 5 %, two-sided.
  EXPECT_EQ(SignedRankRank(6), 1);
  EXPECT_EQ(SignedRankRank(8), 4);
  EXPECT_EQ(SignedRankRank(10), 9);
  EXPECT_EQ(SignedRankRank(15), 26);
  EXPECT_EQ(SignedRankRank(20), 53);
  EXPECT_EQ(SignedRankRank(25), 90);
  EXPECT_EQ(SignedRankRank(1), 1);
  EXPECT_EQ(SignedRankRank(5), 1);
}

TEST(SignedRankRankTest, LargeOnesGoOnWhereExactOnesEnd) {
  // Tables: 98 at 26, 208 at 36, 434 at 50.
  EXPECT_NEAR(static_cast<double>(SignedRankRank(26)), 99, 1);
  EXPECT_NEAR(static_cast<double>(SignedRankRank(36)), 209, 1);
  EXPECT_NEAR(static_cast<double>(SignedRankRank(50)), 435, 1);
}

// Ratios 1, 2, 4, 8, 16, 32: the averages of their logarithms run from 1 to 32, the middle one of
// the 21 is that of 4 and 8.
TEST(MedianRatioTest, RanksTakeAveragesOfTwo) {
  const std::vector<float> numerator = {32, 1, 16, 2, 8, 4};
  const std::vector<float> denominator(6, 1);
  const RatioInterval ratio = MedianRatio(numerator, denominator, IntervalRule::kRank);
  EXPECT_NEAR(ratio.median, std::sqrt(32), 1e-6);
  EXPECT_NEAR(ratio.low, 1, 1e-6);
  EXPECT_NEAR(ratio.high, 32, 1e-6);
}

TEST(MedianRatioTest, RoundsInWhichOneWasPutAsideDoNotCount) {
  std::vector<float> numerator, denominator;
  for (int i = 0; i < 15; ++i) {
    numerator.push_back(2 + 0.01F * static_cast<float>(i % 3));
    denominator.push_back(1);
  }
  const RatioInterval calm = MedianRatio(numerator, denominator, IntervalRule::kRank);
  numerator.insert(numerator.end(), {2, 9});
  denominator.insert(denominator.end(), {5, 1});
  EXPECT_EQ(MedianRatio(numerator, denominator, IntervalRule::kRank), calm);
  // Equal values have no outlier among them.
  const std::vector<float> same = {2, 2, 2, 2, 2, 2, 2, 9};
  const std::vector<float> ones(8, 1);
  EXPECT_NEAR(MedianRatio(same, ones, IntervalRule::kRank).high, std::sqrt(18), 0.1);
}

TEST(MedianRatioTest, TakesThePairs) {
  // Ratios 2, 4, 8, 2, 4, 8, 2, 4, 8: sorted 2 2 2 4 4 4 8 8 8, rank 2 on both sides.
  const std::vector<float> numerator = {2, 4, 8, 4, 8, 16, 20, 40, 80};
  const std::vector<float> denominator = {1, 1, 1, 2, 2, 2, 10, 10, 10};
  const RatioInterval ratio = MedianRatio(numerator, denominator, IntervalRule::kSign);
  EXPECT_NEAR(ratio.median, 4, 1e-6);
  EXPECT_NEAR(ratio.low, 2, 1e-6);
  EXPECT_NEAR(ratio.high, 8, 1e-6);
}

TEST(MedianRatioTest, DriftThatHitsBothCancels) {
  std::vector<float> slow, fast;
  for (int i = 0; i < 51; ++i) {
    const float drift = 1.0f + 0.1f * static_cast<float>(i);
    slow.push_back(3 * drift);
    fast.push_back(2 * drift);
  }
  const RatioInterval ratio = MedianRatio(slow, fast, IntervalRule::kSign);
  EXPECT_NEAR(ratio.median, 1.5, 1e-5);
  EXPECT_NEAR(ratio.high / ratio.low, 1, 1e-5);
}

TEST(MedianRatioTest, RefusesWhatHasNoRatio) {
  const std::vector<float> one = {1};
  const std::vector<float> two = {1, 2};
  const std::vector<float> zero = {0};
  EXPECT_THROW(MedianRatio(one, two, IntervalRule::kSign), std::logic_error);
  EXPECT_THROW(MedianRatio({}, {}, IntervalRule::kSign), std::logic_error);
  EXPECT_THROW(MedianRatio(one, zero, IntervalRule::kSign), std::logic_error);
}

class CoverageTest : public testing::TestWithParam<IntervalRule> {};

TEST_P(CoverageTest, IntervalCoversTheTruthAsOftenAsItSays) {
  Rng rng(7);
  int covered = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<float> a, b;
    for (int i = 0; i < 15; ++i) {
      // Skewed noise: the median of the quotient of two such is 1.
      a.push_back(static_cast<float>(std::exp(2 * rng.Uniform() * rng.Uniform())));
      b.push_back(static_cast<float>(std::exp(2 * rng.Uniform() * rng.Uniform())));
    }
    const RatioInterval ratio = MedianRatio(a, b, GetParam());
    covered += ratio.low <= 1 && 1 <= ratio.high;
  }
  // The exact coverage at n = 15 is 96.5 % of signs and 95.2 % of ranks, a little less without
  // outliers; five standard deviations of 2000 draws are 2 %.
  EXPECT_GT(covered, 0.93 * kTrials);
  EXPECT_LT(covered, 0.985 * kTrials);
}
INSTANTIATE_TEST_SUITE_P(Rules, CoverageTest,
                         testing::Values(IntervalRule::kSign, IntervalRule::kRank),
                         [](const auto& rule) {
                           return rule.param == IntervalRule::kSign ? "Sign" : "Rank";
                         });

TEST(IsPreciseTest, BothEndsCount) {
  EXPECT_TRUE(IsPrecise({1.0, 0.995, 1.005}, 0.01));
  EXPECT_FALSE(IsPrecise({1.0, 0.98, 1.005}, 0.01));
  EXPECT_FALSE(IsPrecise({1.0, 0.995, 1.02}, 0.01));
  EXPECT_TRUE(IsPrecise({50.0, 49.6, 50.4}, 0.01));
}

// (100, 110, 90): a mean of 100 and a deviation of sqrt(200 / 3).
TEST(VariationTest, OfUpToFourSamplesAllCount) {
  EXPECT_NEAR(VariationOf(std::vector<float>{100, 110, 90}), 0.081650, 1e-6);
  EXPECT_NEAR(VariationOf(std::vector<float>{1, 1, 1, 3}), std::sqrt(3.0) / 3, 1e-6);
  EXPECT_EQ(VariationOf(std::vector<float>{5}), 0);
}

// (100, 150, 90, 60, 105) vary by 0.287640; without the least and the greatest, three are left.
TEST(VariationTest, OfMoreTheLeastAndTheGreatestAreLeftOut) {
  EXPECT_NEAR(VariationOf(std::vector<float>{100, 150, 90, 60, 105}), 0.063418, 1e-6);
}

TEST(VariationTest, SettlesAtTheThirdSampleAtTheEarliest) {
  Protocol protocol;
  EXPECT_EQ(SettledAfter(std::vector<float>{100, 110, 90, 100, 100}, protocol), 3u);
  EXPECT_EQ(SettledAfter(std::vector<float>{100, 150, 90, 60, 105, 100}, protocol), 5u);
  EXPECT_EQ(SettledAfter(std::vector<float>{100, 200, 100, 200, 100}, protocol), 5u) << "never";
  EXPECT_EQ(SettledAfter(std::vector<float>{100, 110}, protocol), 2u) << "there are no more";
  protocol.variation = 0.05;
  // 0.0816 of three, 0.0707 of four; of five the three in the middle are equal.
  EXPECT_EQ(SettledAfter(std::vector<float>{100, 110, 90, 100, 100, 100}, protocol), 5u);
  protocol.variation_rounds = 2;
  protocol.variation = 0.1;
  EXPECT_EQ(SettledAfter(std::vector<float>{100, 110, 90}, protocol), 2u);
}

}  // namespace
}  // namespace schedulegym
