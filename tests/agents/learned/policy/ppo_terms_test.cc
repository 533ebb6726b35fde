#include "agents/learned/policy/ppo.h"

// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

namespace schedulegym {
namespace {

// Probability ratios of actions now 1.5, 0.5, 1.5, 0.5 times as likely.
at::Tensor Ratios() {
  const float more = std::log(1.5F), less = std::log(0.5F);
  return at::tensor({more, less, more, less}).set_requires_grad(true);
}
at::Tensor Then() { return at::zeros({4}); }
at::Tensor Advantages() { return at::tensor({2.0F, 2.0F, -1.0F, -1.0F}); }

TEST(PpoTermsTest, ThePolicyGainsNothingByGoingFurther) {
  // min(3, 2.4), min(1, 1.6), min(-1.5, -1.2), min(-0.5, -0.8): together 1.1.
  EXPECT_NEAR(ClippedPolicyLoss(Ratios(), Then(), Advantages(), 0.2).item<double>(), -1.1 / 4,
              1e-6);
}

TEST(PpoTermsTest, WhereTheClipHoldsThereIsNoGradient) {
  const at::Tensor now = Ratios();
  ClippedPolicyLoss(now, Then(), Advantages(), 0.2).backward();
  // Elsewhere minus ratio times advantage, divided by four.
  EXPECT_EQ(now.grad()[0].item<double>(), 0);
  EXPECT_NEAR(now.grad()[1].item<double>(), -0.25, 1e-6);
  EXPECT_NEAR(now.grad()[2].item<double>(), 0.375, 1e-6);
  EXPECT_EQ(now.grad()[3].item<double>(), 0);
}

// One action of probability 0.25 with advantage 0.5, unchanged since it was drawn: the slope is
// that of -log(p) A = 0.693147, so that a step makes the action likelier.
TEST(PpoTermsTest, AtARatioOfOneItIsThePolicyGradient) {
  const at::Tensor now = at::tensor({std::log(0.25F)}).set_requires_grad(true);
  const at::Tensor then = at::tensor({std::log(0.25F)}), advantage = at::tensor({0.5F});
  const at::Tensor plain = -(now * advantage).sum();
  EXPECT_NEAR(plain.item<double>(), 0.693147, 1e-6);
  plain.backward();
  const double slope = now.grad()[0].item<double>();
  EXPECT_NEAR(slope, -0.5, 1e-6);
  now.mutable_grad().reset();
  ClippedPolicyLoss(now, then, advantage, 0.5).backward();
  EXPECT_NEAR(now.grad()[0].item<double>(), slope, 1e-6);
}

TEST(PpoTermsTest, AWiderClipHoldsNothing) {
  // 3 + 1 - 1.5 - 0.5.
  EXPECT_NEAR(ClippedPolicyLoss(Ratios(), Then(), Advantages(), 0.6).item<double>(), -2.0 / 4,
              1e-6);
}

TEST(PpoTermsTest, WhatIsBeyondTheClipIsCounted) {
  EXPECT_EQ(ClippedShare(Ratios(), Then(), 0.2), 1);
  EXPECT_EQ(ClippedShare(Ratios(), Then(), 0.6), 0);
  EXPECT_EQ(ClippedShare(Ratios(), at::tensor({0.4F, 0.0F, 0.4F, -0.7F}), 0.2), 0.25);
}

TEST(PpoTermsTest, TheCriticsErrorIsSquared) {
  const at::Tensor values = at::tensor({1.0F, 3.0F}).set_requires_grad(true);
  const at::Tensor loss = ValueLoss(values, at::tensor({2.0F, 0.0F}));
  EXPECT_EQ(loss.item<double>(), 5);
  loss.backward();
  EXPECT_EQ(values.grad()[0].item<double>(), -1);
  EXPECT_EQ(values.grad()[1].item<double>(), 3);
}

}  // namespace
}  // namespace schedulegym
