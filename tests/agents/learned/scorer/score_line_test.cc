#include "agents/learned/scorer/score_line.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace schedulegym {
namespace {

float Exp(double logarithm) { return static_cast<float>(std::exp(logarithm)); }

// Two tasks with different scores: within each, the logarithm rises by half per unit of score.
TEST(ScoreLineTest, TheSlopeIsThatWithinTasks) {
  const std::vector<float> scores = {0, 2, 4, 10, 12, 99};
  const std::vector<float> labels = {Exp(-2), Exp(-1), 1, Exp(-1), 1, 0};
  const std::vector<int> tasks = {0, 0, 0, 1, 1, 1};
  const ScoreLine line = FitScoreLine(scores, labels, tasks);
  EXPECT_NEAR(line.slope, 0.5, 1e-6);
  // Mean logarithm -4 / 5, mean score 28 / 5; failures do not count.
  EXPECT_NEAR(line.offset, -0.8 - 0.5 * 5.6, 1e-6);
}

TEST(ScoreLineTest, ScoresThatAreWrongOrEqualStandForThemselves) {
  for (const std::vector<float>& scores : {std::vector<float>{2, 0}, {1, 1}}) {
    const ScoreLine line = FitScoreLine(scores, std::vector<float>{0.5, 1}, std::vector<int>{0, 0});
    EXPECT_EQ(line.slope, 1);
    EXPECT_EQ(line.offset, 0);
  }
  EXPECT_EQ(FitScoreLine({}, {}, {}).slope, 1);
}

}  // namespace
}  // namespace schedulegym
