#include "agents/droplet/distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace schedulegym {
namespace {

TEST(NormalQuantileTest, AgreesWithTheTextbook) {
  EXPECT_NEAR(NormalQuantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(NormalQuantile(0.025), -1.959963984540054, 1e-14);
  EXPECT_NEAR(NormalQuantile(0.5), 0, 1e-15);
}

TEST(NormalQuantileTest, InvertsTheDistribution) {
  for (double p = 1e-200; p < 0.9; p *= 7) {
    EXPECT_NEAR(std::erfc(-NormalQuantile(p) / std::sqrt(2.0)) / 2 / p, 1, 1e-11) << p;
  }
}

TEST(StudentTailTest, HasTheClosedFormsOfOneAndTwoDegrees) {
  for (const double t : {0.0, 1e-6, 0.1, 0.5, 1.0, 1.7, 2.0, 5.0, 30.0, 1e3}) {
    const double cauchy = std::atan2(1, t) / std::numbers::pi;
    EXPECT_NEAR(StudentTail(t, 1) / cauchy, 1, 1e-13) << t;
    // (1 - t / sqrt(2 + t^2)) / 2, without cancellation in the difference.
    const double root = std::sqrt(2 + t * t);
    EXPECT_NEAR(StudentTail(t, 2) / (1 / (root * (root + t))), 1, 1e-13) << t;
  }
}

TEST(StudentTailTest, AgreesWithTheTextbook) {
  // From tables: 5 % on both sides together.
  EXPECT_NEAR(StudentTail(2.228, 10), 0.025, 2e-5);
  EXPECT_NEAR(StudentTail(2.042, 30), 0.025, 2e-5);
  EXPECT_NEAR(StudentTail(1.960, 1e6), 0.025, 2e-5);
}

TEST(StudentTailTest, IsSymmetric) {
  for (const double freedom : {1.0, 3.0, 7.5, 40.0}) {
    EXPECT_DOUBLE_EQ(StudentTail(0, freedom), 0.5);
    EXPECT_DOUBLE_EQ(StudentTail(-1.3, freedom), 1 - StudentTail(1.3, freedom));
  }
}

}  // namespace
}  // namespace schedulegym
