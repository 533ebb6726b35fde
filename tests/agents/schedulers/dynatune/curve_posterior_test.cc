#include "agents/schedulers/dynatune/curve_posterior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace schedulegym {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double LogDensity(CurvePosterior& posterior, std::vector<double> position) {
  double log_density = 0;
  posterior.LogDensities(position, {&log_density, 1});
  return log_density;
}

// The power law 0.5 x^0 = 0.5, compared with 0.4, 0.5 and 1; the last has weight 2.
const CurvePoints kPoints = {.x = {1, 2, 3}, .y = {0.4, 0.5, 1}, .weights = {1, 1, 2}};

TEST(CurvePosteriorTest, IsTheNormalLikelihoodByHand) {
  CurvePosterior posterior({CurveFamily::kPow2}, kPoints, {});
  ASSERT_EQ(posterior.dimensions(), 3u) << "a, alpha, noise";
  // Weighted squares 0.01 + 0 + 2 * 0.25 = 0.51.
  EXPECT_NEAR(LogDensity(posterior, {0.5, 0, 0.1}), -4 * std::log(0.1) - 0.51 / 0.02, 1e-4);
  EXPECT_NEAR(LogDensity(posterior, {0.5, 0, 1}), -0.51 / 2, 1e-5);
}

TEST(CurvePosteriorTest, CountsAPrior) {
  CurvePosterior plain({CurveFamily::kPow2}, kPoints, {});
  CurvePosterior told({CurveFamily::kPow2}, kPoints, {std::nullopt, NormalPrior{-0.3, 0.1}});
  const std::vector<double> position = {0.5, -0.1, 0.2};
  EXPECT_NEAR(LogDensity(told, position) - LogDensity(plain, position), -2, 1e-9);
}

TEST(CurvePosteriorTest, WeighsCurvesByTheirShare) {
  CurvePosterior posterior({CurveFamily::kPow2, CurveFamily::kPow3}, kPoints, {});
  ASSERT_EQ(posterior.dimensions(), 2u + 3 + 1 + 2);
  // A quarter of 1 plus three quarters of 0.6 - 0.2: 0.55 everywhere.
  const std::vector<double> position = {1, 0, 0.6, 0.2, 0, 1, 5, 15};
  EXPECT_NEAR(posterior.ValueAt(position, 9), 0.55, 1e-12);
  const double squares = 0.15 * 0.15 + 0.05 * 0.05 + 2 * 0.45 * 0.45;
  EXPECT_NEAR(LogDensity(posterior, position), -squares / 2, 1e-5);
}

TEST(CurvePosteriorTest, IsImpossibleOutsideOfTheBounds) {
  CurvePosterior posterior({CurveFamily::kMmf, CurveFamily::kPow2}, kPoints, {});
  const std::vector<double> possible = {0.9, 0.2, 0.1, 1, 0.5, 0, 0.1, 10, 10};
  EXPECT_TRUE(std::isfinite(LogDensity(posterior, possible)));
  const auto with = [&](size_t place, double value) {
    std::vector<double> position = possible;
    position[place] = value;
    return LogDensity(posterior, position);
  };
  EXPECT_EQ(with(1, 0.95), kNever) << "it would fall";
  EXPECT_EQ(with(5, 0.1), kNever) << "it would fall";
  EXPECT_EQ(with(6, 0), kNever) << "no noise";
  EXPECT_EQ(with(6, 1.01), kNever) << "too much of it";
  EXPECT_EQ(with(7, -0.1), kNever) << "a weight below 0";
  EXPECT_EQ(with(0, std::numeric_limits<double>::quiet_NaN()), kNever);
  std::vector<double> weightless = possible;
  weightless[7] = weightless[8] = 0;
  EXPECT_EQ(LogDensity(posterior, weightless), kNever);
}

TEST(CurvePosteriorTest, TakesPositionsInTurn) {
  CurvePosterior posterior({CurveFamily::kPow2}, kPoints, {});
  const std::vector<double> positions = {0.5, 0, 0.1, 0.5, 0, 1};
  std::vector<double> log_densities(2);
  posterior.LogDensities(positions, log_densities);
  EXPECT_EQ(log_densities[0], LogDensity(posterior, {0.5, 0, 0.1}));
  EXPECT_EQ(log_densities[1], LogDensity(posterior, {0.5, 0, 1}));
}

TEST(CurvePosteriorTest, RefusesNoCurve) {
  EXPECT_THROW(CurvePosterior({}, kPoints, {}), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
