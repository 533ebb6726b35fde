#include "env/program/index_math/affine.h"

#include <gtest/gtest.h>

#include "tests/env/program/index_expressions.h"

namespace schedulegym {
namespace {

Expr A() { return Variable(0); }
Expr B() { return Variable(1); }
Expr N(int64_t value) { return IndexConstant(value); }

RangeOf Ranges(std::vector<Range> ranges) {
  return [ranges](int id) { return ranges[id]; };
}

TEST(AffineTest, CollectsTerms) {
  const auto form = ToAffine((A() + B() * N(3)) * N(2) - A() + N(5));
  ASSERT_TRUE(form.has_value());
  EXPECT_EQ(form->terms, (std::vector<std::pair<int, int64_t>>{{0, 1}, {1, 6}}));
  EXPECT_EQ(form->constant, 5);
  EXPECT_EQ(form->Coefficient(1), 6);
  EXPECT_EQ(form->Coefficient(9), 0);
  EXPECT_TRUE(ToAffine(A() - A())->IsConstant());
}

TEST(AffineTest, RefusesTheRest) {
  EXPECT_FALSE(ToAffine(A() * B()));
  EXPECT_FALSE(ToAffine(Binary(Op::kFloorDivide, A(), N(2))));
  EXPECT_FALSE(ToAffine(Binary(Op::kMin, A(), N(2)) + N(1)));
}

TEST(AffineTest, AddsAndScales) {
  Affine a{{{1, 2}}, 1};
  a.Add(0, 4);
  a.Add(1, -2);
  EXPECT_EQ(a, (Affine{{{0, 4}}, 1}));
  const Affine b{{{0, 1}, {3, 1}}, 10};
  EXPECT_EQ(a.Plus(b, -4), (Affine{{{3, -4}}, -39}));
  EXPECT_EQ(b.Times(0), (Affine{}));
  EXPECT_EQ(b.Times(-1), (Affine{{{0, -1}, {3, -1}}, -10}));
}

TEST(AffineTest, ExpressesItself) {
  const Affine form{{{0, -1}, {1, 6}}, -2};
  EXPECT_EQ(ToAffine(form.ToExpr()), form);
  EXPECT_TRUE(IsInteger(Affine{{}, 7}.ToExpr(), 7));
}

TEST(AffineTest, BoundsForms) {
  const Affine form{{{0, 3}, {1, -2}}, 1};
  EXPECT_EQ(form.Bounds(Ranges({{0, 4}, {-1, 5}})), (Range{-9, 15}));
}

TEST(AffineTest, BoundsEveryOperator) {
  const RangeOf ranges = Ranges({{-3, 5}, {2, 4}});
  const auto bounds = [&](const Expr& expr) { return BoundsOf(expr, ranges); };
  EXPECT_EQ(bounds(A() - A()), (Range{0, 0}));
  EXPECT_EQ(bounds(A() * B()), (Range{-12, 20}));
  EXPECT_EQ(bounds(Binary(Op::kFloorDivide, A(), N(2))), (Range{-2, 2}));
  EXPECT_EQ(bounds(Binary(Op::kModulo, A(), N(4))), (Range{0, 3}));
  EXPECT_EQ(bounds(Binary(Op::kModulo, B(), N(8))), (Range{2, 4}));
  EXPECT_EQ(bounds(Binary(Op::kMin, A(), B())), (Range{-3, 4}));
  EXPECT_EQ(bounds(Binary(Op::kMax, A(), B())), (Range{2, 5}));
  EXPECT_EQ(bounds(Unary(Op::kNegate, A())), (Range{-5, 3}));
  EXPECT_EQ(bounds(Select(Binary(Op::kLess, A(), B()), A(), B())), (Range{-3, 5}));
}

}  // namespace
}  // namespace schedulegym
