#include "agents/learned/policy/q_network.h"

// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace schedulegym {
namespace {

RowBatch Row(const std::vector<float>& numbers) {
  RowBatch rows(static_cast<int>(numbers.size()), 1);
  std::ranges::copy(numbers, rows[0].begin());
  return rows;
}

// A reward of 0.537050 and the target network's value of the only next action, at discount 0.9.
TEST(QNetworkTest, TargetsAddWhatFollows) {
  const QNetwork network(2, {}, Rng(3));
  const double after = network.Values(Row({0.5F, -1.0F}))[0];
  const std::vector<QTransition> transitions = {{{0, 0}, 0.537050, {{0.5F, -1.0F}}},
                                                {{0, 0}, 0.25, {}}};
  const std::vector<double> targets = network.TargetsOf(transitions);
  EXPECT_NEAR(targets[0], 0.537050 + 0.9 * after, 1e-6);
  EXPECT_EQ(targets[1], 0.25);
}

TEST(QNetworkTest, TheBestFollows) {
  for (const bool is_double : {false, true}) {
    const QNetwork network(1, {.is_double = is_double}, Rng(3));
    const double a = network.Values(Row({-2}))[0], b = network.Values(Row({3}))[0];
    const std::vector<double> targets = network.TargetsOf({{{0}, 0, {{-2}, {3}}}});
    EXPECT_NEAR(targets[0], 0.9 * std::max(a, b), 1e-6);
  }
}

// Three steps to the end; the last pays 1, so that their values are 0.81, 0.9 and 1.
TEST(QNetworkTest, LearnsAChain) {
  QNetwork network(3, {.rate = 0.01, .epochs = 200}, Rng(1));
  const std::vector<QTransition> chain = {
      {{1, 0, 0}, 0, {{0, 1, 0}}}, {{0, 1, 0}, 0, {{0, 0, 1}}}, {{0, 0, 1}, 1, {}}};
  ASSERT_TRUE(network.Learn(chain));
  EXPECT_NEAR(network.Values(Row({1, 0, 0}))[0], 0.81, 0.05);
  EXPECT_NEAR(network.Values(Row({0, 1, 0}))[0], 0.9, 0.05);
  EXPECT_NEAR(network.Values(Row({0, 0, 1}))[0], 1, 0.05);
}

// A gradient of 2 twice. Step 1: sqrt(1e-6 / (0.1 * 4 + 1e-6)) * 2 = 0.00316227. Step 2, with
// squares 0.76 and 0.1 * 0.00316227^2: sqrt((1e-6 + 1e-6) / 0.76) * 2 = 0.00324443.
TEST(AdadeltaTest, TwoStepsByHand) {
  at::Tensor weight = at::zeros({1}).requires_grad_(true);
  Adadelta adadelta({weight}, 0.5);
  double expected = 0;
  for (const double step : {0.00316227, 0.00324443}) {
    weight.mutable_grad() = at::full({1}, 2.0);
    adadelta.Step();
    expected -= 0.5 * step;
    EXPECT_NEAR(weight.item<double>(), expected, 1e-7);
  }
}

TEST(QNetworkTest, EqualSeedsLearnTheSame) {
  std::vector<float> values;
  for (int i = 0; i < 2; ++i) {
    QNetwork network(1, {.epochs = 3}, Rng(5));
    network.Learn({{{1}, 1, {{0}}}, {{0}, 0.5, {{1}}}});
    values.push_back(network.Values(Row({1}))[0]);
  }
  EXPECT_EQ(values[0], values[1]);
}

TEST(QNetworkTest, WhatIsNotFiniteEndsALesson) {
  QNetwork network(1, {}, Rng(5));
  const float before = network.Values(Row({1}))[0];
  EXPECT_FALSE(network.Learn({{{1}, std::nan(""), {}}}));
  EXPECT_EQ(network.Values(Row({1}))[0], before);
}

}  // namespace
}  // namespace schedulegym
