#include "agents/schedulers/dynatune/least_squares.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace schedulegym {
namespace {

constexpr ParameterBounds kWide = {-1e6, 1e6};

// y = p0 + p1 x through points that are not on a line: the normal equations give 1.1 and 1.4
// (n = 4, sum x = 6, sum x^2 = 14, sum y = 12.8, sum x y = 26.2).
const std::vector<double> kX = {0, 1, 2, 3}, kY = {1, 2.8, 3.6, 5.4};

void LineResiduals(std::span<const double> p, std::span<double> residuals) {
  for (size_t i = 0; i < kX.size(); ++i) residuals[i] = p[0] + p[1] * kX[i] - kY[i];
}

TEST(LeastSquaresTest, FindsTheLineOfTheNormalEquations) {
  const std::vector<ParameterBounds> bounds = {kWide, kWide};
  const LeastSquaresFit fit = FitLeastSquares(LineResiduals, 4, bounds, {100, -50});
  ASSERT_TRUE(fit.converged);
  EXPECT_NEAR(fit.parameters[0], 1.1, 1e-6);
  EXPECT_NEAR(fit.parameters[1], 1.4, 1e-6);
  // Residuals 0.1, -0.3, 0.3, -0.1.
  EXPECT_NEAR(fit.squared_error, 0.2, 1e-9);
}

// With the slope limited to 1 the best line has slope 1 and the mean of y - x = 1.7.
TEST(LeastSquaresTest, StaysWithinTheBounds) {
  const std::vector<ParameterBounds> bounds = {kWide, {0, 1}};
  const LeastSquaresFit fit = FitLeastSquares(LineResiduals, 4, bounds, {0, 0.5});
  ASSERT_TRUE(fit.converged);
  EXPECT_EQ(fit.parameters[1], 1);
  EXPECT_NEAR(fit.parameters[0], 1.7, 1e-6);
}

TEST(LeastSquaresTest, LeavesABoundWhereThatHelps) {
  const std::vector<ParameterBounds> bounds = {kWide, {0, 5}};
  EXPECT_NEAR(FitLeastSquares(LineResiduals, 4, bounds, {0, 0}).parameters[1], 1.4, 1e-6);
  EXPECT_NEAR(FitLeastSquares(LineResiduals, 4, bounds, {0, 5}).parameters[1], 1.4, 1e-6);
}

// Rosenbrock's function, whose minimum is 0 at (1, 1).
TEST(LeastSquaresTest, FollowsABentValley) {
  const auto valley = [](std::span<const double> p, std::span<double> residuals) {
    residuals[0] = 10 * (p[1] - p[0] * p[0]);
    residuals[1] = 1 - p[0];
  };
  const std::vector<ParameterBounds> bounds = {kWide, kWide};
  const LeastSquaresFit fit = FitLeastSquares(valley, 2, bounds, {-1.2, 1});
  ASSERT_TRUE(fit.converged);
  EXPECT_NEAR(fit.parameters[0], 1, 1e-6);
  EXPECT_NEAR(fit.parameters[1], 1, 1e-6);
}

TEST(LeastSquaresTest, SaysWhenItDidNotGetThere) {
  const auto valley = [](std::span<const double> p, std::span<double> residuals) {
    residuals[0] = 10 * (p[1] - p[0] * p[0]);
    residuals[1] = 1 - p[0];
  };
  const std::vector<ParameterBounds> bounds = {kWide, kWide};
  const LeastSquaresFit fit = FitLeastSquares(valley, 2, bounds, {-1.2, 1}, {.most_iterations = 2});
  EXPECT_FALSE(fit.converged);
  EXPECT_LT(fit.squared_error, 24.2) << "the start's";
  const auto nowhere = [](std::span<const double>, std::span<double> residuals) {
    residuals[0] = std::numeric_limits<double>::quiet_NaN();
  };
  EXPECT_FALSE(FitLeastSquares(nowhere, 1, bounds, {0, 0}).converged);
}

TEST(LeastSquaresTest, TakesAPerfectStartAndAParameterThatDoesNothing) {
  const auto flat = [](std::span<const double> p, std::span<double> residuals) {
    residuals[0] = p[0] - 3;
  };
  const std::vector<ParameterBounds> bounds = {kWide, kWide};
  EXPECT_TRUE(FitLeastSquares(flat, 1, bounds, {3, 7}).converged);
  const LeastSquaresFit fit = FitLeastSquares(flat, 1, bounds, {0, 7});
  EXPECT_TRUE(fit.converged);
  EXPECT_NEAR(fit.parameters[0], 3, 1e-6);
  EXPECT_EQ(fit.parameters[1], 7);
}

TEST(LeastSquaresTest, RefusesParametersWithoutBounds) {
  const std::vector<ParameterBounds> bounds = {kWide};
  EXPECT_THROW(FitLeastSquares(LineResiduals, 4, bounds, {0, 0}), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
