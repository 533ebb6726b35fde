#include "env/lower/sum_bounds.h"

#include <gtest/gtest.h>

#include "env/base/rng.h"
#include "env/program/expressions/integer_math.h"
#include "tests/env/lower/made_facts.h"

namespace schedulegym {
namespace {

Range BoundsOf(const std::vector<Fact>& facts, const Expr& expr) {
  return SumBounds(facts).Bounds(WeightedSumOf(expr).value(), 0);
}

TEST(SumBoundsTest, RangesOfVariablesGiveTheEnds) {
  const std::vector<Fact> facts = {RangeFact(0, 4), RangeFact(1, 3)};
  EXPECT_EQ(BoundsOf(facts, V(0) * N(5) - V(1) + N(2)), (Range{0, 17}));
  EXPECT_EQ(BoundsOf(facts, Binary(Op::kFloorDivide, V(0) + N(5), N(2))), (Range{2, 4}));
  EXPECT_EQ(BoundsOf(facts, Binary(Op::kModulo, V(0) + N(5), N(7))), (Range{0, 6}));
  EXPECT_EQ(BoundsOf(facts, Binary(Op::kModulo, V(0), N(7))), (Range{0, 3}));
}

TEST(SumBoundsTest, WhatIsOutsideIsUnknown) {
  const Range bounds = BoundsOf({RangeFact(0, 4)}, V(0) + V(9));
  EXPECT_LE(bounds.low, -kUnbounded);
  EXPECT_GE(bounds.high, kUnbounded);
}

TEST(SumBoundsTest, AConditionBoundsTheTermsItNames) {
  const std::vector<Fact> facts = {RangeFact(0, 4), RangeFact(1, 3),
                                   True(Less(V(0) + V(1) * N(4), N(10)))};
  EXPECT_EQ(BoundsOf(facts, V(0) + V(1) * N(4)), (Range{0, 9}));
  EXPECT_EQ(BoundsOf(facts, V(0) + V(1) * N(4) + N(1)), (Range{1, 10}));
  EXPECT_EQ(BoundsOf(facts, V(0) + V(1) * N(3)), (Range{0, 9}));  // another sum
  const std::vector<Fact> three = {RangeFact(0, 4), RangeFact(1, 3), RangeFact(2, 2), facts[2]};
  EXPECT_EQ(BoundsOf(three, V(0) + V(1) * N(4) + V(2) * N(100)), (Range{0, 109}));
}

TEST(SumBoundsTest, ValuesAreBoundedByWhatTheyAreComputedFrom) {
  const Expr fused = V(0) + V(1) * N(4);
  const std::vector<Fact> facts = {RangeFact(0, 4), RangeFact(1, 3), RangeFact(2, 2),
                                   ValueFact(2, Binary(Op::kFloorDivide, fused, N(10))),
                                   True(Less(fused, N(10)))};
  EXPECT_EQ(BoundsOf(facts, V(2)), (Range{0, 0}));
  const std::vector<Fact> free(facts.begin(), facts.end() - 1);
  EXPECT_EQ(BoundsOf(free, V(2)), (Range{0, 1}));
}

TEST(SumBoundsTest, FirstTermsMayBeLeftOut) {
  const std::vector<Fact> facts = {RangeFact(0, 4), RangeFact(1, 3)};
  const WeightedSum sum = WeightedSumOf(V(0) * N(5) + V(1) + N(2)).value();
  EXPECT_EQ(SumBounds(facts).Bounds(sum, 1), (Range{2, 4}));
  EXPECT_EQ(SumBounds(facts).Bounds(sum, 2), (Range{2, 2}));
}

TEST(SumBoundsTest, AConditionMayNameAQuotientAndWhatItIsOf) {
  const Expr quotient = Binary(Op::kFloorDivide, V(0), N(4));
  const Expr rest = Binary(Op::kModulo, V(0), N(4));
  const std::vector<Fact> facts = {RangeFact(0, 16), True(Less(V(0), quotient * N(4) + N(3)))};
  EXPECT_EQ(BoundsOf(facts, quotient), (Range{0, 3}));
  EXPECT_EQ(BoundsOf(facts, V(0)), (Range{0, 14}));
  // Two conditions whose bounds depend on each other.
  const std::vector<Fact> both = {RangeFact(0, 16), True(Less(V(0), quotient + N(3))),
                                  True(Less(V(0), rest + N(5)))};
  EXPECT_EQ(BoundsOf(both, quotient).low, 0);
  EXPECT_LE(BoundsOf(both, quotient + rest).high, 6);
}

// The bounds hold at every point that satisfies the facts.
TEST(SumBoundsTest, EveryPointIsWithin) {
  Rng rng(3);
  for (int i = 0; i < 3000; ++i) {
    const Expr fused = V(0) + V(1) * N(1 + rng.Below(5));
    const std::vector<Fact> facts = {
        RangeFact(0, 1 + rng.Below(5)),
        RangeFact(1, 1 + rng.Below(4)),
        RangeFact(2, 24),
        ValueFact(2, Binary(Op::kFloorDivide, fused, N(1 + rng.Below(4)))),
        True(Less(fused + V(2) * N(rng.Below(2)), N(rng.Below(20)))),
        True(Less(V(0), Binary(Op::kFloorDivide, fused, N(1 + rng.Below(4))) * N(rng.Below(3)) +
                            Binary(Op::kModulo, V(0), N(1 + rng.Below(4))) + N(rng.Below(3))))};
    const Expr expr = V(0) * N(rng.Below(7) - 3) + V(1) * N(rng.Below(7)) + V(2) * N(rng.Below(4)) +
                      Binary(Op::kModulo, fused, N(1 + rng.Below(6)));
    const Range bounds = BoundsOf(facts, expr);
    int64_t work = 100'000;
    EXPECT_TRUE(HoldsAtEveryPoint(facts, 3, work, [&](const Point& point) {
      const int64_t here = ValueAt(expr, point);
      return bounds.low <= here && here <= bounds.high;
    })) << i;
  }
}

}  // namespace
}  // namespace schedulegym
