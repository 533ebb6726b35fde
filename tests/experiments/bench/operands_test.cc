#include "experiments/bench/operands.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "env/program/language/parser.h"

namespace schedulegym {
namespace {

// W is not read, but part of the signature.
ComputeDag SmallDag() {
  return *ParseDag("input A[2, 2]\nweight W[100]: i8\nD[i:2, j:2] = A[i, j] + 1\n", "small.dag");
}

TEST(OperandsTest, InputsBeforeOutputs) {
  Rng rng(1);
  const Operands operands(SmallDag(), rng);
  ASSERT_EQ(operands.arguments().size(), 3);
  ASSERT_EQ(operands.inputs().size(), 2);
  EXPECT_EQ(operands.inputs()[1], operands.arguments()[1]);
  EXPECT_EQ(operands.output(), operands.arguments()[2]);
  EXPECT_EQ(operands.output_bytes(), 16);
}

TEST(OperandsTest, ValuesAreSmallAndDiffer) {
  Rng rng(1);
  const Operands operands(SmallDag(), rng);
  const auto* reals = static_cast<const float*>(operands.inputs()[0]);
  for (int i = 0; i < 4; ++i) EXPECT_LE(std::abs(reals[i]), 1);
  EXPECT_NE(reals[0], reals[1]);
  const auto* integers = static_cast<const int8_t*>(operands.inputs()[1]);
  bool positive = false, negative = false;
  for (int i = 0; i < 100; ++i) {
    EXPECT_LE(std::abs(integers[i]), 4);
    positive |= integers[i] > 0;
    negative |= integers[i] < 0;
  }
  EXPECT_TRUE(positive && negative);
}

TEST(OperandsTest, DifferenceIsRelativeToTheLargestValue) {
  const float result[] = {1, -8, 3}, expected[] = {1, -8, 5};
  EXPECT_DOUBLE_EQ(RelativeDifference(DType::kF32, result, expected, 3), 0.25);
  EXPECT_EQ(RelativeDifference(DType::kF32, result, expected, 2), 0);
}

TEST(OperandsTest, NotANumberIsInfinitelyFar) {
  const double result[] = {1, NAN}, expected[] = {1, 2};
  EXPECT_EQ(RelativeDifference(DType::kF64, result, expected, 2), INFINITY);
}

TEST(OperandsTest, DoublesMustAgreeMoreClosely) {
  EXPECT_LT(Tolerance(DType::kF64), Tolerance(DType::kF32));
  EXPECT_THROW(RelativeDifference(DType::kI32, nullptr, nullptr, 0), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
