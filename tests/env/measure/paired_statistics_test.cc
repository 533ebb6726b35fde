#include "env/measure/paired_statistics.h"

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
  // Of the usual tables of the two-sided sign test at 5 %.
  EXPECT_EQ(SignTestRank(6), 1);
  EXPECT_EQ(SignTestRank(9), 2);
  EXPECT_EQ(SignTestRank(15), 4);
  EXPECT_EQ(SignTestRank(20), 6);
  EXPECT_EQ(SignTestRank(51), 19);
  EXPECT_EQ(SignTestRank(1), 1);
  EXPECT_EQ(SignTestRank(5), 1);
}

TEST(MedianRatioTest, TakesThePairs) {
  // Ratios 2, 4, 8, 2, 4, 8, 2, 4, 8: sorted 2 2 2 4 4 4 8 8 8, rank 2 on both sides.
  const std::vector<float> numerator = {2, 4, 8, 4, 8, 16, 20, 40, 80};
  const std::vector<float> denominator = {1, 1, 1, 2, 2, 2, 10, 10, 10};
  const RatioInterval ratio = MedianRatio(numerator, denominator);
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
  const RatioInterval ratio = MedianRatio(slow, fast);
  EXPECT_NEAR(ratio.median, 1.5, 1e-5);
  EXPECT_NEAR(ratio.high / ratio.low, 1, 1e-5);
}

TEST(MedianRatioTest, RefusesWhatHasNoRatio) {
  const std::vector<float> one = {1};
  const std::vector<float> two = {1, 2};
  const std::vector<float> zero = {0};
  EXPECT_THROW(MedianRatio(one, two), std::logic_error);
  EXPECT_THROW(MedianRatio({}, {}), std::logic_error);
  EXPECT_THROW(MedianRatio(one, zero), std::logic_error);
}

TEST(MedianRatioTest, IntervalCoversTheTruthAsOftenAsItSays) {
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
    const RatioInterval ratio = MedianRatio(a, b);
    covered += ratio.low <= 1 && 1 <= ratio.high;
  }
  // The exact coverage at n = 15 is 96.5 %; five standard deviations of 2000 draws are 2 %.
  EXPECT_GT(covered, 0.945 * kTrials);
  EXPECT_LT(covered, 0.985 * kTrials);
}

TEST(IsPreciseTest, BothEndsCount) {
  EXPECT_TRUE(IsPrecise({1.0, 0.995, 1.005}, 0.01));
  EXPECT_FALSE(IsPrecise({1.0, 0.98, 1.005}, 0.01));
  EXPECT_FALSE(IsPrecise({1.0, 0.995, 1.02}, 0.01));
  EXPECT_TRUE(IsPrecise({50.0, 49.6, 50.4}, 0.01));
}

}  // namespace
}  // namespace schedulegym
