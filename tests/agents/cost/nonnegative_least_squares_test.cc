#include "agents/cost/nonnegative_least_squares.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "env/base/rng.h"

namespace schedulegym {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

// Computed by hand: the unconstrained second coefficient would be negative.
TEST(NonnegativeLeastSquares, ThreeRows) {
  EXPECT_THAT(NonnegativeLeastSquares(std::vector<double>{1, 0, 0, 1, 1, 1},
                                      std::vector<double>{1, -1, 0}, 2),
              ElementsAre(DoubleNear(0.5, 1e-12), 0));
}

TEST(NonnegativeLeastSquares, FindsWhatMadeTheTargets) {
  Rng rng(1);
  const std::vector<double> truth = {0.5, 0, 2};
  std::vector<double> matrix, targets;
  for (int row = 0; row < 50; ++row) {
    double target = 0;
    for (double coefficient : truth) {
      matrix.push_back(rng.Uniform());
      target += coefficient * matrix.back();
    }
    targets.push_back(target);
  }
  EXPECT_THAT(NonnegativeLeastSquares(matrix, targets, 3),
              ElementsAre(DoubleNear(0.5, 1e-9), DoubleNear(0, 1e-9), DoubleNear(2, 1e-9)));
}

// No step along an axis that stays above 0 reduces the error.
TEST(NonnegativeLeastSquares, IsOptimalOnNoise) {
  Rng rng(2);
  std::vector<double> matrix, targets;
  for (int row = 0; row < 40; ++row) {
    for (int column = 0; column < 5; ++column) matrix.push_back(rng.Uniform() - 0.3);
    targets.push_back(rng.Uniform() - 0.5);
  }
  const std::vector<double> found = NonnegativeLeastSquares(matrix, targets, 5);
  const auto error = [&](const std::vector<double>& x) {
    double sum = 0;
    for (int row = 0; row < 40; ++row) {
      double difference = -targets[row];
      for (int column = 0; column < 5; ++column) difference += matrix[row * 5 + column] * x[column];
      sum += difference * difference;
    }
    return sum;
  };
  for (int column = 0; column < 5; ++column) {
    EXPECT_GE(found[column], 0);
    for (double step : {-1e-4, 1e-4}) {
      std::vector<double> moved = found;
      moved[column] = std::max(0.0, moved[column] + step);
      EXPECT_GE(error(moved), error(found) - 1e-12) << column;
    }
  }
}

TEST(NonnegativeLeastSquares, NothingToGoBy) {
  EXPECT_THAT(NonnegativeLeastSquares({}, {}, 2), ElementsAre(0, 0));
  EXPECT_THAT(NonnegativeLeastSquares(std::vector<double>{0, 0}, std::vector<double>{1}, 2),
              ElementsAre(0, 0));
  // Two equal columns may share the weight; their sum is right.
  const std::vector<double> equal =
      NonnegativeLeastSquares(std::vector<double>{1, 1, 2, 2}, std::vector<double>{1, 2}, 2);
  EXPECT_NEAR(equal[0] + equal[1], 1, 1e-9);
}

}  // namespace
}  // namespace schedulegym
