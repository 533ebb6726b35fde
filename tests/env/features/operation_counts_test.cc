#include "env/features/nest_access.h"

#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using Kind = OperationKind;

OperationCounts CountsOf(const std::string& body, const std::string& type = "f32") {
  const ScheduleState state =
      StateAfter("input A[8]: " + type + "\ninput B[8]: " + type + "\nD[i:8] = " + body + "\n", "");
  const int d = state.Find("D");
  return CountValue(state.stage(d).effective->value, FindAxisForms(state, InferLoops(state))[d]);
}

TEST(OperationCountsTest, KindsOfFloatingOperations) {
  const OperationCounts counts =
      CountsOf("exp(A[i] * B[i] - A[i]) / sqrt(abs(B[i])) + min(A[i], -B[i])");
  EXPECT_EQ(counts[Kind::kFloatMultiply], 1);
  EXPECT_EQ(counts[Kind::kFloatAdd], 3);  // -, + and the sign
  EXPECT_EQ(counts[Kind::kFloatDivide], 1);
  EXPECT_EQ(counts[Kind::kFloatFunction], 3);
  EXPECT_EQ(counts[Kind::kFloatCompare], 1);
  EXPECT_EQ(counts.Flops(), 9);
  EXPECT_EQ(counts[Kind::kIntegerAdd], 0);
}

TEST(OperationCountsTest, KindsOfIntegerOperations) {
  const OperationCounts counts = CountsOf("A[i] * B[i] + max(A[i], A[i] / B[i])", "i32");
  EXPECT_EQ(counts[Kind::kIntegerMultiply], 1);
  EXPECT_EQ(counts[Kind::kIntegerAdd], 1);
  EXPECT_EQ(counts[Kind::kIntegerDivide], 1);
  EXPECT_EQ(counts[Kind::kIntegerCompare], 1);
  EXPECT_EQ(counts.Flops(), 0);
}

TEST(OperationCountsTest, SelectsWithTheirConditions) {
  const OperationCounts counts = CountsOf("select(i >= 1 && !(i + 2 > 7), A[i], B[i])");
  EXPECT_EQ(counts[Kind::kSelect], 1);
  EXPECT_EQ(counts[Kind::kBoolean], 2);
  EXPECT_EQ(counts[Kind::kIntegerCompare], 2);
  EXPECT_EQ(counts[Kind::kIntegerAdd], 1);
}

TEST(OperationCountsTest, LinearForms) {
  const std::vector<int64_t> row = {32, 0, -1, 1};
  const OperationCounts counts = CountLinear(row, 5);  // a * 32 - b + c + 5
  EXPECT_EQ(counts[Kind::kIntegerMultiply], 1);
  EXPECT_EQ(counts[Kind::kIntegerAdd], 3);
  const std::vector<int64_t> constant = {0, 0};
  EXPECT_EQ(CountLinear(constant, 5)[Kind::kIntegerAdd], 0);
}

TEST(OperationCountsTest, Combinations) {
  EXPECT_EQ(CountCombination(Combiner::kSum, DType::kF32)[Kind::kFloatAdd], 1);
  EXPECT_EQ(CountCombination(Combiner::kProduct, DType::kF64)[Kind::kFloatMultiply], 1);
  EXPECT_EQ(CountCombination(Combiner::kMax, DType::kF32)[Kind::kFloatCompare], 1);
  EXPECT_EQ(CountCombination(Combiner::kMin, DType::kI8)[Kind::kIntegerCompare], 1);
  EXPECT_EQ(CountCombination(Combiner::kNone, DType::kF32).Flops(), 0);
}

}  // namespace
}  // namespace schedulegym
