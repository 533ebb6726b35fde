#include "agents/mcts/tree_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace schedulegym {
namespace {

// Three visits with mean cost 4 below a node with 7: 1 / 4 times 1 + sqrt(ln 8 / 3).
TEST(SelectionTest, MultiplicativeIsTheInverseCostGrownByRarity) {
  const SelectionRule rule = {.kind = SelectionKind::kMultiplicative};
  EXPECT_NEAR(Promise(rule, {.value = -4, .visits = 3, .parent = 7}), 0.25 * (1 + 0.8325546), 1e-7);
  EXPECT_NEAR(Promise(rule, {.value = -0.5, .visits = 1, .parent = 1}), 2 * (1 + 0.8325546), 1e-7);
}

TEST(SelectionTest, TheMultiplicativeFormWantsCosts) {
  EXPECT_THROW(Promise({.kind = SelectionKind::kMultiplicative}, {.value = 1, .visits = 1}),
               std::logic_error);
}

// ln 100 = 4.6051702; its quarter has the square root 1.0729830.
TEST(SelectionTest, AdditiveAddsTheConstantTimesRarity) {
  const ChildFigures child = {.value = 0.5, .visits = 4, .parent = 100};
  EXPECT_NEAR(Promise({}, child), 0.5 + 1.0729830 * std::sqrt(2.0), 1e-6);
  EXPECT_NEAR(Promise({.constant = 10}, child), 11.229830, 1e-5);
  EXPECT_DOUBLE_EQ(Promise({.constant = 0}, child), 0.5);
}

TEST(SelectionTest, PuctWeighsRarityByThePrior) {
  const SelectionRule rule = {.kind = SelectionKind::kPuct, .constant = 2};
  EXPECT_DOUBLE_EQ(Promise(rule, {.value = 0.1, .visits = 3, .parent = 16, .prior = 0.25}),
                   0.1 + 2 * 0.25 * 4 / 4);
  EXPECT_DOUBLE_EQ(Promise(rule, {.value = 0, .visits = 0, .parent = 16, .prior = 0.25}), 2);
}

TEST(SelectionTest, TheFirstOfEqualsIsChosen) {
  Rng rng(1);
  const std::vector<ChildFigures> children = {{.value = 0.2, .visits = 2, .parent = 6},
                                              {.value = 0.4, .visits = 2, .parent = 6},
                                              {.value = 0.4, .visits = 2, .parent = 6}};
  EXPECT_EQ(ChooseChild({}, children, rng), 1u);
  EXPECT_EQ(ChooseChild({}, std::span(children).first(1), rng), 0u);
}

// At a temperature of 1/2 a difference of ln(3)/2 makes a child three times as likely.
TEST(SelectionTest, SoftmaxDrawsByTheExponential) {
  const SelectionRule rule = {.kind = SelectionKind::kSoftmax, .constant = 0};
  const std::vector<ChildFigures> children = {
      {.value = 0, .visits = 1, .parent = 2},
      {.value = std::log(3.0) / 2, .visits = 1, .parent = 2}};
  Rng rng(7);
  int second = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) second += ChooseChild(rule, children, rng) == 1 ? 1 : 0;
  EXPECT_NEAR(second / static_cast<double>(kDraws), 0.75, 0.015);
}

TEST(SelectionTest, KindsHaveNames) {
  EXPECT_STREQ(SelectionKindName(SelectionKind::kMultiplicative), "multiplicative");
  EXPECT_STREQ(SelectionKindName(SelectionKind::kSoftmax), "softmax");
}

}  // namespace
}  // namespace schedulegym
