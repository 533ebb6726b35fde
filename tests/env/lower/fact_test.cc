#include "env/lower/fact.h"

#include <gtest/gtest.h>

#include "env/base/rng.h"
#include "tests/env/lower/made_facts.h"
#include "tests/env/program/index_expressions.h"

namespace schedulegym {
namespace {

Fact False(const Expr& condition) { return {Fact::Kind::kFalse, 0, {}, condition}; }

// The points at which the facts hold, in the order of enumeration.
std::vector<Point> PointsOf(const std::vector<Fact>& facts, int variables) {
  std::vector<Point> points;
  int64_t work = 1000;
  EXPECT_TRUE(HoldsAtEveryPoint(facts, variables, work, [&](const Point& point) {
    points.push_back(point);
    return true;
  }));
  return points;
}

TEST(FactTest, PointsAreTriedWhereAllFactsHold) {
  const Expr sum = V(0) + V(1);
  EXPECT_EQ(PointsOf({RangeFact(0, 2), RangeFact(1, 2)}, 2),
            (std::vector<Point>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(PointsOf({RangeFact(0, 2), RangeFact(1, 2), True(Less(sum, N(1)))}, 2),
            (std::vector<Point>{{0, 0}}));
  EXPECT_EQ(PointsOf({RangeFact(0, 2), RangeFact(1, 2), False(Less(sum, N(2)))}, 2),
            (std::vector<Point>{{1, 1}}));
}

// A let's variable has its computed value, not its range.
TEST(FactTest, WhatIsComputedIsNotTried) {
  const Expr half = Binary(Op::kFloorDivide, V(0), N(2));
  EXPECT_EQ(PointsOf({RangeFact(0, 4), RangeFact(1, 9), ValueFact(1, half)}, 2),
            (std::vector<Point>{{0, 0}, {1, 0}, {2, 1}, {3, 1}}));
}

TEST(FactTest, ConditionsOnDataMayHold) {
  const Expr datum = Binary(Op::kLess, Read(DType::kF32, 0, {V(0)}), Constant(DType::kF32, 0));
  EXPECT_EQ(PointsOf({RangeFact(0, 2), True(datum)}, 1).size(), 2u);
  EXPECT_EQ(PointsOf({RangeFact(0, 2), False(datum)}, 1).size(), 2u);
  EXPECT_FALSE(HasValue(datum));
  EXPECT_FALSE(HasValue(Binary(Op::kModulo, V(0), V(1))));
  EXPECT_TRUE(HasValue(Less(Binary(Op::kModulo, V(0), N(3)), N(1))));
}

TEST(FactTest, TryingEndsWithTheFirstFailureAndWithTheWork) {
  int tried = 0;
  int64_t work = 100;
  const auto below_three = [&](const Point& point) {
    ++tried;
    return point[0] < 3;
  };
  EXPECT_FALSE(HoldsAtEveryPoint(std::vector{RangeFact(0, 50)}, 1, work, below_three));
  EXPECT_EQ(tried, 4);
  EXPECT_EQ(work, 96);
  work = 3;
  EXPECT_TRUE(HoldsAtEveryPoint(std::vector{RangeFact(0, 3)}, 1, work, below_three));
  EXPECT_EQ(work, 0);
  EXPECT_FALSE(HoldsAtEveryPoint(std::vector{RangeFact(0, 3)}, 1, work, below_three));
}

TEST(FactTest, FactsFollowVariablesThroughLetsAndConditions) {
  const std::vector<Fact> facts = {RangeFact(0, 4), RangeFact(1, 4),    RangeFact(2, 4),
                                   RangeFact(3, 4), ValueFact(3, V(2)), True(Less(V(1), V(3)))};
  const auto related = [&](int variable) {
    std::set<int> variables = {variable};
    AddRelated(facts, variables);
    return variables;
  };
  EXPECT_EQ(related(0), (std::set<int>{0}));
  EXPECT_EQ(related(1), (std::set<int>{1, 2, 3}));
  EXPECT_EQ(related(2), (std::set<int>{2}));  // a value computed from it does not bind it
  EXPECT_EQ(FactsAbout(facts, {0}).size(), 1u);
  EXPECT_EQ(FactsAbout(facts, {1, 2, 3}).size(), 5u);
  EXPECT_EQ(FactsAbout(std::vector{True(BoolConstant(false))}, {}).size(), 1u);
}

TEST(FactTest, FactsComeApart) {
  const Expr low = Less(V(0), N(3)), high = Less(V(1), N(5));
  const auto parts = [](const Fact& fact) {
    std::vector<Fact> parts;
    AddParts(fact, parts);
    return parts;
  };
  EXPECT_EQ(parts(True(Binary(Op::kAnd, low, Binary(Op::kAnd, high, low)))).size(), 3u);
  EXPECT_EQ(parts(False(Binary(Op::kOr, low, high))).size(), 2u);
  EXPECT_EQ(parts(False(Binary(Op::kAnd, low, high))).size(), 1u);
  EXPECT_EQ(parts(True(Binary(Op::kOr, low, high))).size(), 1u);
  EXPECT_EQ(parts(RangeFact(0, 3)).size(), 1u);
  EXPECT_TRUE(Equal(parts(False(Binary(Op::kOr, low, high)))[1].expr, high));
}

TEST(FactTest, ValuesAgreeWithPlainEvaluation) {
  Rng rng(3);
  for (int trial = 0; trial < 300; ++trial) {
    const Expr index = RandomIndex(rng, 3, 3), condition = RandomCondition(rng, 3, 2);
    const Point point = {rng.Below(20) - 10, rng.Below(20) - 10, rng.Below(20) - 10};
    ASSERT_TRUE(HasValue(index) && HasValue(condition));
    EXPECT_EQ(ValueAt(index, point), Evaluate(index, point));
    EXPECT_EQ(ValueAt(condition, point), Evaluate(condition, point));
  }
}

}  // namespace
}  // namespace schedulegym
