#include "agents/learned/policy/dense_network.h"

// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <ATen/TensorOperators.h>
#include <ATen/ops/eye.h>
#include <gtest/gtest.h>

#include <cmath>

namespace schedulegym {
namespace {

double FarthestFrom(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

TEST(OrthogonalTest, FewerRowsAreOrthogonalAndAsLongAsTheGain) {
  Rng rng(1);
  const at::Tensor weights = OrthogonalWeights(4, 9, 3, rng);
  ASSERT_EQ(weights.sizes(), (std::vector<int64_t>{4, 9}));
  EXPECT_LT(FarthestFrom(weights.mm(weights.t()), 9 * at::eye(4)), 1e-5);
}

TEST(OrthogonalTest, FewerColumnsAreSo) {
  Rng rng(1);
  const at::Tensor weights = OrthogonalWeights(9, 4, 0.5, rng);
  EXPECT_LT(FarthestFrom(weights.t().mm(weights), 0.25 * at::eye(4)), 1e-6);
}

// Each number of a random rotation of three dimensions has mean 0 and variance 1 / 3.
TEST(OrthogonalTest, RotationsAreDrawnUniformly) {
  Rng rng(2);
  constexpr int kDraws = 2000;
  at::Tensor sum = at::eye(3) * 0, squares = at::eye(3) * 0;
  for (int i = 0; i < kDraws; ++i) {
    const at::Tensor weights = OrthogonalWeights(3, 3, 1, rng);
    sum += weights;
    squares += weights.square();
  }
  // Five standard deviations of a mean: 5 sqrt(1 / 3 / 2000) = 0.065.
  EXPECT_LT((sum / kDraws).abs().max().item<double>(), 0.065);
  EXPECT_LT((squares / kDraws - 1.0 / 3).abs().max().item<double>(), 0.04);
}

TEST(OrthogonalTest, TheSameSeedGivesTheSameWeights) {
  Rng a(7), b(7), c(8);
  const at::Tensor first = OrthogonalWeights(5, 5, 1, a);
  EXPECT_TRUE(first.equal(OrthogonalWeights(5, 5, 1, b)));
  EXPECT_FALSE(first.equal(OrthogonalWeights(5, 5, 1, c)));
  EXPECT_FALSE(first.equal(OrthogonalWeights(5, 5, 1, a))) << "the next draw is another";
}

}  // namespace
}  // namespace schedulegym
