#include "env/measure/verification/value_range.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

// The range of an elementwise definition of f32 inputs A and B.
ValueRange RangeOf(const ExprNode& node) {
  if (node.op == Op::kNumber) return RangeOfNumber(node.type, node.number);
  if (node.op == Op::kRead || !IsFloating(node.type)) return RangeOfInput(node.type);
  std::vector<ValueRange> args;
  for (const Expr& arg : node.args) args.push_back(RangeOf(*arg));
  return RangeOfOperation(node, args);
}

ValueRange RangeOf(const std::string& value) {
  const ComputeDag dag = DagOf("input A[4]\ninput B[4]\nY[i:4] = " + value + "\n");
  return RangeOf(*dag.tensor(2).body);
}

void ExpectRange(const std::string& value, double low, double high) {
  const ValueRange range = RangeOf(value);
  EXPECT_EQ(range.low, low) << value;
  EXPECT_EQ(range.high, high) << value;
  EXPECT_FALSE(range.wild) << value;
}

TEST(ValueRangeTest, Arithmetic) {
  ExpectRange("A[i] + B[i]", -4, 4);
  ExpectRange("A[i] - 3.0", -5, -1);
  ExpectRange("A[i] * -2.5", -5, 5);
  ExpectRange("-abs(A[i])", -2, 0);
  ExpectRange("max(A[i], 1.5) / 0.5", 3, 4);
  ExpectRange("min(A[i], B[i] + 1.0)", -2, 2);
  ExpectRange("select(A[i] < B[i], 7.0, A[i])", -2, 7);
  ExpectRange("f32(i8(A[i]))", -128, 127);
}

TEST(ValueRangeTest, Functions) {
  ExpectRange("exp(A[i])", std::exp(-2.0), std::exp(2.0));
  ExpectRange("tanh(A[i])", std::tanh(-2.0), std::tanh(2.0));
  ExpectRange("floor(A[i] * 0.75)", -2, 1);
  ExpectRange("sqrt(abs(A[i]) + 2.0)", std::sqrt(2.0), 2);
  ExpectRange("rsqrt(A[i] + 6.0)", 1 / std::sqrt(8.0), 0.5);
}

TEST(ValueRangeTest, WhatMayNotBeANumberIsWild) {
  for (const char* value : {"log(A[i])", "sqrt(A[i])", "rsqrt(abs(A[i]))", "A[i] / B[i]",
                            "pow(A[i], B[i])", "exp(50 * A[i])", "pow(abs(A[i]) + 1.0, 200.0)"}) {
    EXPECT_TRUE(RangeOf(value).wild) << value;
    EXPECT_TRUE(RangeOf(std::string("tanh(") + value + ")").wild) << value;
  }
  for (const char* value :
       {"log(abs(A[i]) + 0.5)", "pow(A[i], 2.0)", "exp(40 * A[i])", "A[i] / (abs(B[i]) + 0.1)"}) {
    EXPECT_FALSE(RangeOf(value).wild) << value;
  }
}

TEST(ValueRangeTest, ProductsGetSmall) {
  EXPECT_EQ(RangeOf("A[i] * B[i]").least, 0x1p-48);
  EXPECT_GE(RangeOf("A[i] * B[i]").least, LeastNormalOf(DType::kF32));
  EXPECT_LT(RangeOf("A[i] * B[i] * A[i] * B[i] * A[i] * B[i]").least, LeastNormalOf(DType::kF32));
  // Differences of close numbers are small, those of equal ones 0.
  EXPECT_EQ(RangeOf("A[i] - B[i]").least, 0x1p-48);
}

TEST(ValueRangeTest, Reductions) {
  const ValueRange term = {-2, 3, 0.5, false};
  EXPECT_EQ(RangeOfReduction(Combiner::kSum, DType::kF32, 10, term).high, 30);
  EXPECT_EQ(RangeOfReduction(Combiner::kSum, DType::kF32, 10, term).low, -20);
  EXPECT_EQ(RangeOfReduction(Combiner::kMax, DType::kF32, 10, term).high, 3);
  EXPECT_EQ(RangeOfReduction(Combiner::kProduct, DType::kF32, 4, term).low, -81);
  EXPECT_EQ(RangeOfReduction(Combiner::kProduct, DType::kF32, 4, term).least, 0.0625);
  EXPECT_FALSE(RangeOfReduction(Combiner::kProduct, DType::kF32, 80, term).wild);
  EXPECT_TRUE(RangeOfReduction(Combiner::kProduct, DType::kF32, 81, term).wild);
}

}  // namespace
}  // namespace schedulegym
