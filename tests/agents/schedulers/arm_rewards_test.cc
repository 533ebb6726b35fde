#include "agents/schedulers/sliding_window_bandit.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace schedulegym {
namespace {

TEST(SketchRewardTest, IsTheShareOfTheBest) {
  EXPECT_EQ(SketchReward(30, 40), 0.75);
  EXPECT_EQ(SketchReward(40, 40), 1) << "a new best";
  EXPECT_EQ(SketchReward({}, 40), 0);
  EXPECT_EQ(SketchReward({}, {}), 0);
}

TEST(SketchRewardTest, NothingIsBetterThanTheBest) {
  EXPECT_THROW(SketchReward(41, 40), std::logic_error);
  EXPECT_THROW(SketchReward(41, {}), std::logic_error);
}

TEST(TaskGainTest, MixesWhatWasAndWhatMayBe) {
  // 3 * (0.2 * 5 + 0.8 * 10).
  EXPECT_DOUBLE_EQ(TaskGain(3, 5, 10), 27);
  EXPECT_DOUBLE_EQ(TaskGain(1, 5, 10, 1), 5);
  EXPECT_THROW(TaskGain(1, -1, 0), std::logic_error);
  EXPECT_THROW(TaskGain(1, 0, 0, 2), std::logic_error);
}

TEST(TaskRewardTest, IsTheShareOfTheLargestGain) {
  const std::vector<double> gains = {2, 8, 0};
  EXPECT_EQ(TaskReward(gains, 0), 0.25);
  EXPECT_EQ(TaskReward(gains, 1), 1);
  EXPECT_EQ(TaskReward(gains, 2), 0);
  EXPECT_EQ(TaskReward(std::vector<double>{0, 0}, 1), 0);
  EXPECT_THROW(TaskReward(gains, 3), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
