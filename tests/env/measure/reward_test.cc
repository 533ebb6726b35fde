#include "env/measure/verdict.h"

#include <gtest/gtest.h>

#include <cmath>

namespace schedulegym {
namespace {

TEST(RewardTest, ADifferenceIsWorthItsLogarithm) {
  EXPECT_DOUBLE_EQ(LogRatioReward({2.0, 1.9, 2.1}), std::log(2.0));
  EXPECT_DOUBLE_EQ(LogRatioReward({0.5, 0.4, 0.6}), -std::log(2.0));
}

TEST(RewardTest, SameAndAmbiguousAreWorthNothing) {
  EXPECT_EQ(LogRatioReward({1.004, 0.999, 1.009}), 0);
  EXPECT_EQ(LogRatioReward({1.5, 0.9, 2.5}), 0);
}

}  // namespace
}  // namespace schedulegym
