#include "agents/learned/policy/adam.h"

// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace schedulegym {
namespace {

at::Tensor Parameter(std::vector<float> numbers) {
  return at::tensor(numbers).set_requires_grad(true);
}

void Give(const at::Tensor& parameter, std::vector<float> gradient) {
  parameter.mutable_grad() = at::tensor(gradient);
}

TEST(AdamTest, StepsAreWorkedByHand) {
  const at::Tensor x = Parameter({1});
  Adam adam({x}, {.rate = 0.1});
  Give(x, {2});
  adam.Step();
  // Both moments, corrected for their start at 0, are those of the gradient: 2 / sqrt(4).
  EXPECT_NEAR(x.item<double>(), 0.9, 1e-6);
  EXPECT_NEAR(adam.first_moments()[0].item<double>(), 0.2, 1e-7);
  EXPECT_NEAR(adam.second_moments()[0].item<double>(), 0.004, 1e-8);
  Give(x, {-1});
  adam.Step();
  // First 0.9 * 0.2 - 0.1 = 0.08, over 1 - 0.81: 0.421053; second 0.999 * 0.004 + 0.001 = 0.004996,
  // over 1 - 0.998001: 2.499250, its root 1.580902.
  EXPECT_NEAR(x.item<double>(), 0.9 - 0.1 * 0.421053 / 1.580902, 1e-6);
  EXPECT_EQ(adam.steps(), 2);
}

TEST(AdamTest, NumbersDoNotSeeOneAnother) {
  const at::Tensor x = Parameter({1, 1}), y = Parameter({1});
  Adam adam({x, y}, {.rate = 0.1});
  Give(x, {100, -0.001});
  adam.Step();
  EXPECT_NEAR(x[0].item<double>(), 0.9, 1e-4);
  EXPECT_NEAR(x[1].item<double>(), 1.1, 1e-4);
  EXPECT_EQ(y.item<double>(), 1) << "without a gradient it stays";
}

TEST(AdamTest, GoesOnWhereAnotherStood) {
  const at::Tensor x = Parameter({1}), y = Parameter({1});
  Adam first({x}, {.rate = 0.1}), resumed({y}, {.rate = 0.1});
  Give(x, {2});
  first.Step();
  y.data().copy_(x);
  resumed.first_moments()[0].copy_(first.first_moments()[0]);
  resumed.second_moments()[0].copy_(first.second_moments()[0]);
  resumed.set_steps(first.steps());
  for (const at::Tensor& parameter : {x, y}) Give(parameter, {0.7F});
  first.Step();
  resumed.Step();
  EXPECT_EQ(x.item<float>(), y.item<float>());
}

// Recorded from torch::optim::Adam of LibTorch 1.13, rate 0.01, weight_decay 0.1.
TEST(AdamTest, DecayIsThatOfPyTorch) {
  const at::Tensor x = Parameter({1, -2, 0.5});
  Adam adam({x}, {.rate = 0.01, .decay = 0.1});
  const std::vector<float> gradients[] = {
      {2, -1, 0.25}, {-1, 0.5, 0.25}, {0, 3, -0.75}, {0.1F, 0.1F, 0.1F}};
  const std::vector<double> expected[] = {{0.99000001, -1.99000001, 0.49000001},
                                          {0.986778021, -1.98531222, 0.480000883},
                                          {0.984013915, -1.98969412, 0.481480807},
                                          {0.981255293, -1.99309385, 0.481639683}};
  for (size_t step = 0; step < 4; ++step) {
    Give(x, gradients[step]);
    adam.Step();
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(x[i].item<double>(), expected[step][static_cast<size_t>(i)], 2e-6) << step;
    }
  }
}

TEST(DescendGradientsTest, StepsAgainstTheDecayedGradient) {
  const at::Tensor x = Parameter({1, 2}), y = Parameter({3});
  Give(x, {2, -1});
  DescendGradients(std::vector<at::Tensor>{x, y}, 0.1, 0.5);
  // Gradients 2 + 0.5 and -1 + 1.
  EXPECT_NEAR(x[0].item<double>(), 0.75, 1e-7);
  EXPECT_EQ(x[1].item<double>(), 2);
  EXPECT_EQ(y.item<double>(), 3) << "without a gradient it stays";
}

TEST(AdamTest, FindsTheLowestPlace) {
  const at::Tensor x = Parameter({5, -3});
  Adam adam({x}, {.rate = 0.1});
  for (int i = 0; i < 500; ++i) {
    (x - at::tensor({1.0F, 2.0F})).square().sum().backward();
    adam.Step();
    adam.Clear();
  }
  EXPECT_NEAR(x[0].item<double>(), 1, 1e-3);
  EXPECT_NEAR(x[1].item<double>(), 2, 1e-3);
}

TEST(AdamTest, ClearedGradientsAreGone) {
  const at::Tensor x = Parameter({1});
  Adam adam({x}, {.rate = 0.1});
  Give(x, {1});
  adam.Clear();
  adam.Step();
  EXPECT_EQ(x.item<float>(), 1);
  EXPECT_THROW(Adam({x}, {.rate = 0}), std::logic_error);
}

TEST(GradientNormTest, IsOfAllTogether) {
  const std::vector<at::Tensor> all = {Parameter({0, 0}), Parameter({0}), Parameter({0})};
  Give(all[0], {2, 3});
  Give(all[1], {6});
  EXPECT_NEAR(GradientNorm(all), 7, 1e-6);
  ScaleGradients(all, 0.5);
  EXPECT_NEAR(GradientNorm(all), 3.5, 1e-6);
  EXPECT_EQ(all[0].grad()[1].item<float>(), 1.5);
}

}  // namespace
}  // namespace schedulegym
