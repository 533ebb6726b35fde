#include "agents/learned/scorer/rate_plan.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(RatePlanTest, AConstantOneIsTheRate) {
  for (const int step : {0, 7, 99}) EXPECT_EQ(RateAt(RatePlan::kConstant, 0.01, step, 100), 0.01);
}

// (1 + cos(pi step / steps)) / 2: 1, 3/4 at a third of the way, 1/2 in the middle.
TEST(RatePlanTest, ACosineEndsNearZero) {
  EXPECT_DOUBLE_EQ(RateAt(RatePlan::kCosine, 0.01, 0, 30), 0.01);
  EXPECT_NEAR(RateAt(RatePlan::kCosine, 0.01, 10, 30), 0.0075, 1e-12);
  EXPECT_NEAR(RateAt(RatePlan::kCosine, 0.01, 15, 30), 0.005, 1e-12);
  EXPECT_LT(RateAt(RatePlan::kCosine, 0.01, 29, 30), 0.0001);
}

// For 20 steps the peak is at 0.3 * 20 - 1 = 5 and the last step is 19, so that 12 is the middle of
// the decrease.
TEST(RatePlanTest, OneCycleRisesThenFalls) {
  const auto at = [](int step) { return RateAt(RatePlan::kOneCycle, 0.01, step, 20); };
  EXPECT_NEAR(at(0), 0.0004, 1e-12);
  EXPECT_DOUBLE_EQ(at(5), 0.01);
  EXPECT_NEAR(at(12), (0.01 + 4e-8) / 2, 1e-12);
  EXPECT_NEAR(at(19), 4e-8, 1e-15);
  for (int step = 0; step < 19; ++step) EXPECT_EQ(at(step + 1) > at(step), step < 5) << step;
}

TEST(RatePlanTest, OneCycleOfFewStepsIsAboveZero) {
  for (const int steps : {1, 2, 3, 4}) {
    for (int step = 0; step < steps; ++step) {
      const double rate = RateAt(RatePlan::kOneCycle, 0.01, step, steps);
      EXPECT_GT(rate, 0) << step << " of " << steps;
      EXPECT_LE(rate, 0.01);
    }
  }
}

}  // namespace
}  // namespace schedulegym
