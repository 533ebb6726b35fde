#include "env/lower/sum_bounds.h"

#include <gtest/gtest.h>

#include "env/base/rng.h"
#include "tests/env/lower/made_facts.h"
#include "tests/env/program/index_expressions.h"

namespace schedulegym {
namespace {

TEST(WeightedSumTest, CollectsEachLeafOnce) {
  const Expr quotient = Binary(Op::kFloorDivide, V(0) + V(1), N(3));
  const auto sum = WeightedSumOf((V(2) + quotient * N(4)) * N(2) + V(2) - N(5));
  ASSERT_TRUE(sum.has_value());
  ASSERT_EQ(sum->terms.size(), 2U);
  EXPECT_EQ(sum->terms[0].weight, 8);
  EXPECT_TRUE(Equal(sum->terms[0].leaf, quotient));
  EXPECT_EQ(sum->terms[1].weight, 3);
  EXPECT_TRUE(Equal(sum->terms[1].leaf, V(2)));
  EXPECT_EQ(sum->constant, -5);
}

TEST(WeightedSumTest, WhatCancelsIsNotThere) {
  const auto sum = WeightedSumOf(V(0) * N(3) + V(1) - V(0) * N(3));
  ASSERT_TRUE(sum.has_value());
  ASSERT_EQ(sum->terms.size(), 1U);
  EXPECT_TRUE(Equal(sum->terms[0].leaf, V(1)));
}

TEST(WeightedSumTest, ProductsAndChoicesAreNone) {
  EXPECT_FALSE(WeightedSumOf(V(0) * V(1)).has_value());
  EXPECT_FALSE(WeightedSumOf(Binary(Op::kMax, V(0), N(1))).has_value());
  EXPECT_FALSE(IsPart(V(0)));
  EXPECT_TRUE(IsPart(Binary(Op::kModulo, V(0), N(4))));
}

int64_t ValueOf(const WeightedSum& sum, const std::vector<int64_t>& point) {
  int64_t value = sum.constant;
  for (const WeightedTerm& term : sum.terms) value += term.weight * Evaluate(term.leaf, point);
  return value;
}

TEST(WeightedSumTest, HasTheValueOfTheExpression) {
  Rng rng(5);
  int sums = 0;
  for (int i = 0; i < 2000; ++i) {
    const Expr expr = RandomIndex(rng, 3, 4);
    const auto sum = WeightedSumOf(expr);
    if (!sum) continue;
    ++sums;
    ForEachPoint({0, 0, 0}, {2, 2, 2}, [&](const std::vector<int64_t>& point) {
      EXPECT_EQ(ValueOf(*sum, point), Evaluate(expr, point));
    });
  }
  EXPECT_GT(sums, 200);
}

}  // namespace
}  // namespace schedulegym
