#include "agents/schedulers/dynatune/lane_math.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(LaneMathTest, ExpIsWithinAFewUlps) {
  for (float x = -40; x <= 40; x += 0.0137f) {
    const double expected = std::exp(static_cast<double>(x));
    EXPECT_NEAR(Exp(x), expected, 3e-7 * expected) << x;
  }
  EXPECT_EQ(Exp(0.0f), 1.0f);
  EXPECT_EQ(Exp(1e9f), Exp(40.0f));
  EXPECT_EQ(Exp(-1e9f), Exp(-40.0f));
}

TEST(LaneMathTest, LogIsWithinAFewUlps) {
  for (double exponent = -37; exponent <= 37; exponent += 0.0131) {
    const float x = static_cast<float>(std::pow(10, exponent));
    const double expected = std::log(static_cast<double>(x));
    EXPECT_NEAR(Log(x), expected, 3e-7 * std::abs(expected) + 1e-7) << x;
  }
  EXPECT_EQ(Log(1.0f), 0.0f);
}

TEST(LaneMathTest, IsTheLibrarysInDoublePrecision) {
  EXPECT_EQ(Exp(0.3), std::exp(0.3));
  EXPECT_EQ(Log(0.3), std::log(0.3));
}

}  // namespace
}  // namespace schedulegym
