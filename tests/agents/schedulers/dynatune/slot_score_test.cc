#include "agents/schedulers/dynatune/slot_score.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace schedulegym {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(ExpectedImprovementTest, IsThePublishedFormula) {
  // At the best: deviation / sqrt(2 pi).
  EXPECT_NEAR(ExpectedImprovement({5, 2}, 5), 2 / std::sqrt(2 * M_PI), 1e-12);
  // One deviation above: 1 * 0.8413447 + 1 * 0.2419707 from a table of the normal distribution.
  EXPECT_NEAR(ExpectedImprovement({6, 1}, 5), 0.8413447 + 0.2419707, 1e-6);
  EXPECT_NEAR(ExpectedImprovement({4, 1}, 5), -0.1586553 + 0.2419707, 1e-6);
}

TEST(ExpectedImprovementTest, IsTheGainWhereItIsSure) {
  EXPECT_EQ(ExpectedImprovement({7, 0}, 5), 2);
  EXPECT_EQ(ExpectedImprovement({3, 0}, 5), 0);
  EXPECT_NEAR(ExpectedImprovement({7, 1e-9}, 5), 2, 1e-6);
}

// The mean of max(draw - best, 0) over the quantiles of the distribution.
TEST(ExpectedImprovementTest, IsAnAverage) {
  const Forecast prediction = {4.8, 0.5};
  double sum = 0;
  constexpr int kSteps = 200'000;
  constexpr double kWidth = 16.0 / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const double z = -8 + (i + 0.5) * kWidth;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
    sum += std::max(prediction.mean + prediction.deviation * z - 5, 0.0) * density * kWidth;
  }
  EXPECT_NEAR(ExpectedImprovement(prediction, 5), sum, 1e-6);
}

TEST(LatencyGainTest, IsTheSecondsSaved) {
  // 100 FLOP at 10 FLOP/s take 10 s, at 20 FLOP/s 5 s; three times in the network.
  EXPECT_DOUBLE_EQ(LatencyGain(3, 100, 10, 20), 15);
  EXPECT_EQ(LatencyGain(3, 100, 10, 10), 0);
  EXPECT_EQ(LatencyGain(3, 100, 10, 5), 0) << "the best stays";
  EXPECT_EQ(LatencyGain(3, 100, 10, -1), 0);
  EXPECT_THROW(LatencyGain(1, 100, 0, 5), std::logic_error);
}

TEST(OverLargestTest, ScalesToOne) {
  const std::vector<double> scores = {2, 8, 0}, nothing = {0, 0};
  EXPECT_THAT(OverLargest(scores), ElementsAre(0.25, 1, 0));
  EXPECT_THAT(OverLargest(nothing), ElementsAre(0, 0));
  EXPECT_THAT(OverLargest({}), IsEmpty());
}

TEST(UpperBoundTest, FavoursWhatHadFewSlots) {
  // sqrt(2 ln 8 / 3), by hand 1.17741.
  EXPECT_NEAR(UpperBound(0.5, 2, 3, 8), 0.5 + 1.17741, 1e-5);
  EXPECT_GT(UpperBound(0.5, 2, 2, 8), UpperBound(0.5, 2, 3, 8));
  EXPECT_THAT(UpperBound(0.5, 0, 3, 8), DoubleEq(0.5));
  EXPECT_EQ(UpperBound(0.5, 2, 1, 1), 0.5) << "the first slot of all";
  EXPECT_THROW(UpperBound(0.5, 2, 0, 8), std::logic_error);
}

TEST(SlotScoreTest, RecordsComeAsOftenAsAmongLikeTrials) {
  EXPECT_EQ(ExpectedRecords(10, 0), 0);
  double sum = 0;
  for (int n = 100; n < 300; ++n) sum += 1.0 / (n + 1);
  EXPECT_NEAR(ExpectedRecords(100, 200), sum, 0.01);
  EXPECT_GT(ExpectedRecords(10, 16), ExpectedRecords(100, 16)) << "they become rare";
}

}  // namespace
}  // namespace schedulegym
