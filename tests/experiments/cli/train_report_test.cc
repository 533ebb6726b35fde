#include "experiments/cli/train_report.h"

#include <gtest/gtest.h>

#include <cmath>

namespace schedulegym {
namespace {

TrainedRound RoundOf(double step, double best, double entropy = 1) {
  return {.visits = 10, .step = std::log(step), .best = std::log(best), .entropy = entropy};
}

TEST(TrainReportTest, PartsAreAsEqualAsMayBe) {
  const std::vector<TrainedRound> rounds(7, RoundOf(1.5, 3));
  const std::vector<TrainingPart> parts = PartsOf(rounds, 3);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].first, 1);
  EXPECT_EQ(parts[0].last, 2);
  EXPECT_EQ(parts[1].first, 3);
  EXPECT_EQ(parts[1].last, 4);
  EXPECT_EQ(parts[2].first, 5);
  EXPECT_EQ(parts[2].last, 7);
  EXPECT_EQ(PartsOf(rounds, 10).size(), 7U);
  EXPECT_TRUE(PartsOf({}, 10).empty());
}

TEST(TrainReportTest, MeansOfSpeedsAreGeometric) {
  const std::vector<TrainedRound> rounds = {RoundOf(1, 2, 3), RoundOf(4, 8, 5)};
  const TrainingPart part = PartsOf(rounds, 1).at(0);
  EXPECT_DOUBLE_EQ(part.step, 2);
  EXPECT_DOUBLE_EQ(part.best, 4);
  EXPECT_DOUBLE_EQ(part.entropy, 4);
}

TEST(TrainReportTest, ALineEach) {
  const std::vector<TrainingPart> parts = {{1, 1, 0.98765, 2, 3}, {2, 14, 1.01, 12.345, 0.5}};
  EXPECT_EQ(TrainingText(parts),
            "       rounds   a step the best  entropy\n"
            "            1   0.9877     2.00     3.00\n"
            "         2-14   1.0100    12.35     0.50\n");
}

}  // namespace
}  // namespace schedulegym
