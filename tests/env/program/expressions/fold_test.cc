#include "env/program/expressions/operators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace schedulegym {
namespace {

Expr N(int64_t value) { return IndexConstant(value); }
Expr F32(double value) { return Constant(DType::kF32, value); }
Expr I32(double value) { return Constant(DType::kI32, value); }
Expr Read0() { return Read(DType::kF32, 0, {}); }

TEST(FoldTest, FloorsIndexDivisions) {
  EXPECT_TRUE(IsInteger(Binary(Op::kFloorDivide, N(-7), N(2)), -4));
  EXPECT_TRUE(IsInteger(Binary(Op::kModulo, N(-7), N(2)), 1));
  EXPECT_TRUE(IsInteger(Binary(Op::kDivide, N(-7), N(2)), -3));
  EXPECT_TRUE(IsInteger(Binary(Op::kModulo, N(7), N(-2)), -1));
}

TEST(FoldTest, DropsNeutralElementsOfIndices) {
  const Expr a = Variable(0);
  EXPECT_EQ(a + N(0), a);
  EXPECT_EQ(N(0) + a, a);
  EXPECT_EQ(a - N(0), a);
  EXPECT_EQ(N(1) * a, a);
  EXPECT_TRUE(IsInteger(a * N(0), 0));
  EXPECT_EQ(Binary(Op::kFloorDivide, a, N(1)), a);
  EXPECT_TRUE(IsInteger(Binary(Op::kModulo, a, N(1)), 0));
}

TEST(FoldTest, KeepsFloatingOperationsOnValues) {
  EXPECT_EQ(Binary(Op::kAdd, Read0(), F32(0))->op, Op::kAdd);
  EXPECT_EQ(Binary(Op::kMultiply, Read0(), F32(0))->op, Op::kMultiply);
  EXPECT_EQ(Binary(Op::kMultiply, Read0(), F32(1))->op, Op::kMultiply);
}

TEST(FoldTest, RoundsAsTheTypeDoes) {
  // 2^24 + 1 is not an f32: the sum rounds to even, which is down.
  EXPECT_EQ(Binary(Op::kAdd, F32(16777216), F32(1))->number, 16777216);
  const Expr f64 = Binary(Op::kAdd, Constant(DType::kF64, 16777216), Constant(DType::kF64, 1));
  EXPECT_EQ(f64->number, 16777217);
  EXPECT_EQ(Binary(Op::kDivide, F32(1), F32(3))->number, static_cast<double>(1.0f / 3.0f));
  EXPECT_EQ(RoundToType(DType::kF16, 2049), 2048);
  EXPECT_EQ(RoundToType(DType::kF16, 2051), 2052);
  EXPECT_EQ(RoundToType(DType::kBF16, 257), 256);
  EXPECT_EQ(RoundToType(DType::kF16, 1e-8), 0);
  EXPECT_EQ(RoundToType(DType::kF16, 0x1p-24), 0x1p-24);
  EXPECT_EQ(RoundToType(DType::kF16, 70000), HUGE_VAL);
}

TEST(FoldTest, LeavesWhatIsNotExactOrFinite) {
  EXPECT_EQ(Binary(Op::kDivide, F32(1), F32(0))->op, Op::kDivide);
  EXPECT_EQ(Binary(Op::kMultiply, F32(3e38), F32(10))->op, Op::kMultiply);
  EXPECT_EQ(Unary(Op::kExp, F32(1))->op, Op::kExp);
  EXPECT_EQ(Unary(Op::kSqrt, F32(-1))->op, Op::kSqrt);
  EXPECT_EQ(Unary(Op::kSqrt, F32(2))->number, static_cast<double>(std::sqrt(2.0f)));
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ((N(most) + N(1))->op, Op::kAdd);
  EXPECT_EQ(Binary(Op::kFloorDivide, N(1), N(0))->op, Op::kFloorDivide);
}

TEST(FoldTest, WrapsIntegersOfTensors) {
  EXPECT_TRUE(IsInteger(Binary(Op::kAdd, I32(2147483647), I32(1)), -2147483648LL));
  const Expr i8 = Binary(Op::kMultiply, Constant(DType::kI8, 100), Constant(DType::kI8, 3));
  EXPECT_TRUE(IsInteger(i8, 44));
  EXPECT_EQ(WrapToType(DType::kI8, 200), -56);
}

TEST(FoldTest, ConvertsConstants) {
  EXPECT_EQ(Cast(DType::kF32, N(3))->number, 3);
  EXPECT_TRUE(IsInteger(Cast(DType::kI32, F32(-2.9)), -2));
  EXPECT_TRUE(IsInteger(Cast(DType::kI8, I32(300)), 44));
  EXPECT_EQ(Cast(DType::kI8, F32(300))->op, Op::kCast);
  EXPECT_EQ(Cast(DType::kF32, Constant(DType::kF64, 0.1))->number, static_cast<double>(0.1f));
}

TEST(FoldTest, DecidesLogic) {
  const Expr open = Binary(Op::kLess, Variable(0), N(3));
  const Expr yes = BoolConstant(true), no = BoolConstant(false);
  EXPECT_EQ(Binary(Op::kAnd, yes, open), open);
  EXPECT_EQ(Binary(Op::kOr, open, no), open);
  EXPECT_TRUE(IsInteger(Binary(Op::kAnd, open, no), 0));
  EXPECT_TRUE(IsInteger(Binary(Op::kOr, open, yes), 1));
  EXPECT_TRUE(IsInteger(Unary(Op::kNot, no), 1));
  EXPECT_TRUE(IsInteger(Binary(Op::kLessEqual, F32(2), F32(2)), 1));
}

}  // namespace
}  // namespace schedulegym
