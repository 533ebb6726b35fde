#include "env/lower/builder.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

const Expr& Below(int variable) {
  static const Expr conditions[] = {Binary(Op::kLess, Variable(0), IndexConstant(5)),
                                    Binary(Op::kLess, Variable(1), IndexConstant(5)),
                                    Binary(Op::kLess, Variable(2), IndexConstant(5))};
  return conditions[variable];
}

StatementPtr StoreOf(double value) {
  return MakeStatement(Store{0, {}, Constant(DType::kF32, value)});
}

TEST(ConditionsTest, KnowsConstants) {
  EXPECT_TRUE(IsTrue(BoolConstant(true)));
  EXPECT_FALSE(IsTrue(BoolConstant(false)));
  EXPECT_FALSE(IsTrue(Below(0)));
  EXPECT_TRUE(IsFalse(BoolConstant(false)));
  EXPECT_FALSE(IsFalse(BoolConstant(true)));
  EXPECT_FALSE(IsFalse(Below(0)));
}

TEST(ConditionsTest, JoinsWhatItTakesApart) {
  EXPECT_TRUE(IsTrue(Conjunction({})));
  EXPECT_TRUE(Equal(Conjunction({Below(0)}), Below(0)));
  const std::vector<Expr> all = {Below(0), Below(1), Below(2)};
  std::vector<Expr> parts;
  CollectConjuncts(Conjunction(all), parts);
  ASSERT_EQ(parts.size(), 3u);
  for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(Equal(parts[i], all[i])) << i;
}

// For any bracketing: appends the conjuncts in order behind the existing ones.
TEST(ConditionsTest, AppendsConjuncts) {
  std::vector<Expr> parts = {Below(0)};
  CollectConjuncts(Binary(Op::kAnd, Below(0), Binary(Op::kAnd, Below(1), Below(2))), parts);
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_TRUE(Equal(parts[1], Below(0)));
  EXPECT_TRUE(Equal(parts[3], Below(2)));
}

TEST(ConditionsTest, TakesNothingElseApart) {
  const Expr either = Binary(Op::kOr, Below(0), Below(1));
  std::vector<Expr> parts;
  CollectConjuncts(either, parts);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_TRUE(Equal(parts[0], either));
}

TEST(ConditionsTest, IsFalseOnceAPartIs) {
  EXPECT_TRUE(IsFalse(Conjunction({Below(0), BoolConstant(false), Below(1)})));
  EXPECT_TRUE(Equal(Conjunction({BoolConstant(true), Below(1)}), Below(1)));
}

TEST(ConditionsTest, BranchesWhereThereIsSomethingToDo) {
  EXPECT_EQ(MakeIf(Below(0), nullptr, nullptr), nullptr);
  const StatementPtr one = StoreOf(1), two = StoreOf(2);
  const StatementPtr half = MakeIf(Below(0), one, nullptr);
  const If& half_if = std::get<If>(half->node);
  EXPECT_TRUE(Equal(half_if.condition, Below(0)));
  EXPECT_EQ(half_if.then_body, one);
  EXPECT_EQ(half_if.else_body, nullptr);
  const StatementPtr whole = MakeIf(Below(0), one, two);
  EXPECT_EQ(std::get<If>(whole->node).else_body, two);
}

// If the then-branch is empty, the else-branch runs under the negated condition.
TEST(ConditionsTest, TurnsAConditionRound) {
  const StatementPtr one = StoreOf(1);
  const StatementPtr turned = MakeIf(Below(0), nullptr, one);
  const If& branch = std::get<If>(turned->node);
  EXPECT_TRUE(Equal(branch.condition, Unary(Op::kNot, Below(0))));
  EXPECT_EQ(branch.then_body, one);
  EXPECT_EQ(branch.else_body, nullptr);
}

}  // namespace
}  // namespace schedulegym
