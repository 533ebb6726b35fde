#include "env/program/expressions/expr.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace schedulegym {
namespace {

const ExprNames kNames{[](int id) { return std::string(1, static_cast<char>('a' + id)); },
                       [](int id) { return "T" + std::to_string(id); }};

Expr A() { return Variable(0); }
Expr B() { return Variable(1); }
Expr F(double value) { return Constant(DType::kF32, value); }
Expr T0() { return Read(DType::kF32, 0, {A()}); }

TEST(ExprTest, RefusesMixedTypes) {
  EXPECT_THROW(Binary(Op::kAdd, A(), F(1)), std::logic_error);
  EXPECT_THROW(Select(A(), F(1), F(2)), std::logic_error);
  EXPECT_THROW(Select(Binary(Op::kLess, A(), B()), F(1), A()), std::logic_error);
  EXPECT_THROW(Constant(DType::kI32, 0.5), std::logic_error);
}

TEST(ExprTest, GivesComparisonsTheTypeOfConditions) {
  EXPECT_EQ(Binary(Op::kLess, A(), B())->type, DType::kBool);
  EXPECT_EQ(Binary(Op::kAdd, A(), B())->type, DType::kIndex);
  EXPECT_TRUE(IsComparison(Op::kNotEqual));
  EXPECT_FALSE(IsComparison(Op::kAnd));
}

TEST(ExprTest, ComparesStructure) {
  EXPECT_TRUE(Equal(A() + B(), A() + B()));
  EXPECT_FALSE(Equal(A() + B(), B() + A()));
  EXPECT_FALSE(Equal(A() + B(), A() - B()));
  EXPECT_FALSE(Equal(F(0.0), F(-0.0)));
  EXPECT_FALSE(Equal(Constant(DType::kF32, 1), Constant(DType::kF64, 1)));
  EXPECT_EQ(HashOf(A() + B()), HashOf(A() + B()));
  EXPECT_NE(HashOf(A() + B()), HashOf(B() + A()));
  EXPECT_NE(HashOf(Read(DType::kF32, 0, {A()})), HashOf(Read(DType::kF32, 1, {A()})));
}

TEST(ExprTest, TransformsBottomUpAndShares) {
  const Expr sum = Binary(Op::kAdd, T0(), F(2));
  const Expr same = Transform(sum, [](const Expr&) { return Expr(); });
  EXPECT_EQ(same, sum);
  const Expr shifted = Transform(sum, [](const Expr& leaf) {
    return leaf->op == Op::kVariable ? leaf + IndexConstant(1) : Expr();
  });
  EXPECT_EQ(ToText(shifted, kNames), "T0[a + 1] + 2");
  EXPECT_EQ(shifted->args[1], sum->args[1]);
  // The function on leaves gets the read with its new arguments.
  const Expr renamed = Transform(sum, [](const Expr& leaf) {
    if (leaf->op == Op::kVariable) return IndexConstant(5);
    return Read(leaf->type, 7, leaf->args);
  });
  EXPECT_EQ(ToText(renamed, kNames), "T7[5] + 2");
}

TEST(ExprTest, VisitsParentsFirst) {
  std::vector<Op> ops;
  Visit(A() * B() + IndexConstant(3), [&](const ExprNode& node) { ops.push_back(node.op); });
  EXPECT_EQ(ops,
            (std::vector<Op>{Op::kAdd, Op::kMultiply, Op::kVariable, Op::kVariable, Op::kInteger}));
}

TEST(ExprTest, RebuildsWithFolding) {
  const Expr sum = A() + B();
  EXPECT_EQ(ToText(Rebuild(*sum, {IndexConstant(2), IndexConstant(3)}), kNames), "5");
  const Expr read = T0();
  EXPECT_EQ(ToText(Rebuild(*read, {B()}), kNames), "T0[b]");
}

TEST(ExprTest, PrintsFewestBrackets) {
  const Expr c = Variable(2);
  EXPECT_EQ(ToText((A() + B()) * c, kNames), "(a + b) * c");
  EXPECT_EQ(ToText(A() + B() * c, kNames), "a + b * c");
  EXPECT_EQ(ToText(A() - (B() - c), kNames), "a - (b - c)");
  EXPECT_EQ(ToText(A() - B() - c, kNames), "a - b - c");
  EXPECT_EQ(
      ToText(Binary(Op::kModulo, Binary(Op::kFloorDivide, A(), IndexConstant(2)), IndexConstant(3)),
             kNames),
      "a // 2 % 3");
  const Expr less = Binary(Op::kLess, A(), B());
  const Expr both = Binary(Op::kAnd, less, Binary(Op::kOr, less, less));
  EXPECT_EQ(ToText(both, kNames), "a < b && (a < b || a < b)");
  EXPECT_EQ(ToText(Unary(Op::kNot, less), kNames), "!(a < b)");
}

TEST(ExprTest, PrintsNumbersSoThatTypesFollow) {
  EXPECT_EQ(ToText(Binary(Op::kAdd, T0(), F(2)), kNames), "T0[a] + 2");
  EXPECT_EQ(ToText(F(2), kNames), "2.0");
  EXPECT_EQ(ToText(F(0.1), kNames), "0.1");
  EXPECT_EQ(ToText(Select(Binary(Op::kLess, A(), B()), T0(), F(0)), kNames),
            "select(a < b, T0[a], 0)");
  EXPECT_EQ(ToText(Cast(DType::kF64, Unary(Op::kExp, F(1))), kNames), "f64(f32(exp(1.0)))");
}

}  // namespace
}  // namespace schedulegym
