#include "env/program/expressions/operators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace schedulegym {
namespace {

constexpr Op kComparisons[] = {Op::kLess,         Op::kLessEqual, Op::kGreater,
                               Op::kGreaterEqual, Op::kEqual,     Op::kNotEqual};

TEST(OperatorsTest, ExactlyOneOfAComparisonAndItsInverseHolds) {
  for (Op op : kComparisons) {
    EXPECT_EQ(Inverted(Inverted(op)), op);
    for (int64_t a : {-1, 0, 1})
      EXPECT_NE(Compares<int64_t>(op, a, 0), Compares(Inverted(op), a, int64_t{0}));
  }
}

TEST(OperatorsTest, ComparesAsInC) {
  EXPECT_TRUE(Compares(Op::kLess, 1.0, 2.0));
  EXPECT_FALSE(Compares(Op::kLess, 2.0, 2.0));
  EXPECT_TRUE(Compares(Op::kLessEqual, 2.0, 2.0));
  EXPECT_TRUE(Compares(Op::kGreater, 3.0, 2.0));
  EXPECT_TRUE(Compares(Op::kGreaterEqual, 2.0, 2.0));
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (Op op : kComparisons) EXPECT_EQ(Compares(op, none, 1.0), op == Op::kNotEqual);
}

// Values known by heart.
TEST(OperatorsTest, FunctionsOfOneNumber) {
  EXPECT_EQ(FloatUnary(Op::kNegate, 2), -2);
  EXPECT_EQ(FloatUnary(Op::kAbs, -2), 2);
  EXPECT_EQ(FloatUnary(Op::kExp, 0), 1);
  EXPECT_EQ(FloatUnary(Op::kLog, 1), 0);
  EXPECT_EQ(FloatUnary(Op::kSqrt, 9), 3);
  EXPECT_EQ(FloatUnary(Op::kRsqrt, 16), 0.25);
  EXPECT_EQ(FloatUnary(Op::kTanh, 0), 0);
  EXPECT_EQ(FloatUnary(Op::kSigmoid, 0), 0.5);
  EXPECT_EQ(FloatUnary(Op::kErf, 0), 0);
  EXPECT_EQ(FloatUnary(Op::kFloor, -0.5), -1);
  EXPECT_THROW(FloatUnary(Op::kAdd, 1), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
