// Rounding alone may lead to any result: overflow, underflow, domains, comparisons, integers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "env/measure/verification/verify.h"
#include "tests/env/measure/dag_of.h"
#include "tests/env/measure/expected_cells.h"

namespace schedulegym {
namespace {

// Whether a legal schedule may give these values of the only output.
bool IsRight(const std::string& text, const std::vector<std::vector<float>>& inputs,
             const std::vector<float>& found) {
  const ComputeDag dag = DagOf(text);
  std::vector<const void*> pointers;
  for (const std::vector<float>& input : inputs) pointers.push_back(input.data());
  const Expected expected = Expect(dag, pointers);
  const Tensor& output = dag.tensor(dag.outputs()[0]);
  return !CompareBounded(output, found.data(), expected.values, expected.bounds);
}

TEST(DoubtTest, ValuesBeyondTheTypeHaveNoBound) {
  const std::string text = "input A[2]\nY[i:2] = exp(100 * A[i])\n";
  EXPECT_TRUE(IsRight(text, {{1.5, 0.5}}, {INFINITY, 5.1847055e21f}));
  EXPECT_FALSE(IsRight(text, {{1.5, 0.5}}, {INFINITY, 5.185e21f}));
  // Their consequences are unknown as well: infinity times 0.
  EXPECT_TRUE(IsRight("input A[1]\nY[i:1] = exp(100 * A[i]) * (A[i] - 1.5)\n", {{1.5}}, {NAN}));
  EXPECT_TRUE(
      IsRight("input A[1]\nY[i:1] = tanh(exp(100 * A[i]) * (A[i] - 1.5))\n", {{1.5}}, {NAN}));
}

TEST(DoubtTest, WhatIsUnknownStaysUnknownInOtherTensors) {
  const std::string head = "input A[1]\nT[i:1] = exp(100 * A[i]) * (A[i] - 1.5)\n";
  EXPECT_TRUE(IsRight(head + "Y[i:1] = tanh(T[i])\n", {{1.5}}, {NAN}));
  EXPECT_TRUE(IsRight(head + "Y[i:1] = max(T[i], 3.0)\n", {{1.5}}, {INFINITY}));
  EXPECT_TRUE(IsRight(head + "U[i:1] = i8(T[i])\nY[i:1] = f32(U[i]) * f32(U[i])\n", {{1.5}}, {9}));
  EXPECT_FALSE(
      IsRight(head + "U[i:1] = i8(T[i])\nY[i:1] = f32(U[i]) * f32(U[i])\n", {{0.25}}, {9}));
}

TEST(DoubtTest, ExactInfinitiesAreExpected) {
  const std::string text = "input A[2]\nY[i:2] = 1.0 / A[i]\n";
  EXPECT_TRUE(IsRight(text, {{0, 2}}, {INFINITY, 0.5}));
  EXPECT_FALSE(IsRight(text, {{0, 2}}, {7, 0.5}));
}

TEST(DoubtTest, PartialResultsMayOverflow) {
  // One order of the product passes through infinity, and stays there after times 1e-30.
  const std::string head = "input A[4]\n";
  EXPECT_TRUE(
      IsRight(head + "P[] = prod(i:4) pow(10.0, 15 * A[i])\n", {{2, 2, -2, -2}}, {INFINITY}));
  EXPECT_TRUE(IsRight(head + "S[] = sum(i:4) exp(100 * A[i]) * select(i < 2, 1, -1)\n",
                      {{0.88f, 0.88f, 0.88f, 0.88f}}, {NAN}));
  EXPECT_FALSE(
      IsRight(head + "P[] = prod(i:4) pow(10.0, 15 * A[i])\n", {{1, 1, -1, -1}}, {INFINITY}));
}

TEST(DoubtTest, ValuesBelowTheTypeMayBecomeZero) {
  const std::string text = "input A[1]\nY[i:1] = log(exp(-200 * A[i]))\n";
  EXPECT_TRUE(IsRight(text, {{1.5}}, {-INFINITY}));
  EXPECT_FALSE(IsRight(text, {{0.25}}, {-INFINITY}));
  EXPECT_TRUE(IsRight("input A[1]\nY[i:1] = 1.0 / exp(-200 * A[i])\n", {{1.5}}, {INFINITY}));
}

TEST(DoubtTest, RoundingMayLeadOutOfADomain) {
  // In f32 the difference of the squares may be 0 or below it.
  const float a = 1.1f, b = 1.1f;
  for (const char* function : {"sqrt", "log", "rsqrt"}) {
    const std::string text = std::string("input A[1]\ninput B[1]\nY[i:1] = ") + function +
                             "(A[i] * A[i] - B[i] * B[i] + 1e-9)\n";
    EXPECT_TRUE(IsRight(text, {{a}, {b}}, {NAN})) << function;
    EXPECT_FALSE(IsRight(text, {{2}, {b}}, {NAN})) << function;
  }
}

TEST(DoubtTest, NegatedAndJoinedComparisonsMayTurn) {
  const std::vector<std::vector<float>> inputs = {{1, 1, 0.5}, {0x1p-26f, 1, 0.25}};
  for (const char* condition :
       {"!(A[i] + B[i] > 1)", "A[i] + B[i] <= 1 && i < 3", "i < 0 || A[i] + B[i] <= 1",
        "!(!(A[i] + B[i] <= 1) && !(i < 0))"}) {
    const std::string text =
        std::string("input A[3]\ninput B[3]\nY[i:3] = select(") + condition + ", 7.0, 5.0)\n";
    EXPECT_TRUE(IsRight(text, inputs, {5, 5, 7})) << condition;
    EXPECT_TRUE(IsRight(text, inputs, {7, 5, 7})) << condition;
    EXPECT_FALSE(IsRight(text, inputs, {7, 7, 7})) << condition;
    EXPECT_FALSE(IsRight(text, inputs, {7, 5, 5})) << condition;
  }
}

// Values guarded by an index's condition are not read outside of it, not even in doubt.
TEST(DoubtTest, DoubtsReadOnlyWhatConditionsAllow) {
  const std::string text = R"(
input A[2]
input B[2]
Y[i:3] = select(i >= 1 && A[i - 1] + B[i - 1] > 1, A[i - 1], 0)
Z[i:3] = select(i < 1 || A[i - 1] + B[i - 1] > 1, 0, 1 / log(A[i - 1]))
output Y
)";
  EXPECT_TRUE(IsRight(text, {{1, 3}, {0x1p-26f, 1}}, {0, 1, 3}));
  EXPECT_TRUE(IsRight(text, {{1, 3}, {0x1p-26f, 1}}, {0, 0, 3}));
  EXPECT_FALSE(IsRight(text, {{1, 3}, {0x1p-26f, 1}}, {1, 1, 3}));
}

// Whether a legal schedule may give these integers of the only output.
bool AreRight(const std::string& text, const std::vector<std::vector<float>>& inputs,
              const std::vector<int32_t>& found) {
  const ComputeDag dag = DagOf(text);
  std::vector<const void*> pointers;
  for (const std::vector<float>& input : inputs) pointers.push_back(input.data());
  const ErrorDag error = MakeErrorDag(dag).value();
  std::vector<double> values, bounds;
  Oracle oracle(error.dag, pointers);
  for (int64_t i = 0; i < static_cast<int64_t>(found.size()); ++i) {
    const auto cell = oracle.Cell(error.dag.outputs()[0], std::vector{i}, 1000);
    values.push_back(static_cast<double>(cell->integer));
    const int bound = error.dag.outputs()[error.bounds[0].value()];
    bounds.push_back(oracle.Cell(bound, std::vector{i}, 1000)->number);
  }
  const Tensor& output = dag.tensor(dag.outputs()[0]);
  return !CompareBounded(output, found.data(), values, bounds);
}

// 1 + 2^-26 is 1 in f32, and on either side of 1 where it is one of three terms.
const std::vector<std::vector<float>> kNearAStep = {{1, 1.5, -1}, {-0x1p-26f, 0.25, -0.25}};

TEST(DoubtTest, InexactValuesBecomeIntegersOfTwoKinds) {
  const std::string text = "input A[3]\ninput B[3]\nY[i:3] = i32(A[i] + B[i])\n";
  EXPECT_TRUE(AreRight(text, kNearAStep, {0, 1, -1}));
  EXPECT_TRUE(AreRight(text, kNearAStep, {1, 1, -1}));
  EXPECT_FALSE(AreRight(text, kNearAStep, {2, 1, -1}));
  EXPECT_FALSE(AreRight(text, kNearAStep, {1, 2, -1}));
  EXPECT_EQ(MakeErrorDag(DagOf("input X[4]\nY[i:4] = i32(X[i])\n"))->bounds[0], std::nullopt);
}

TEST(DoubtTest, WhatFollowsFromUncertainIntegersIsUnknown) {
  const std::string text =
      "input A[3]\ninput B[3]\nT[i:3] = i32(A[i] + B[i])\nY[i:3] = 5 / (T[i] * T[i] + 1)\n";
  EXPECT_TRUE(AreRight(text, kNearAStep, {2, 2, 2}));
  EXPECT_TRUE(AreRight(text, kNearAStep, {5, 2, 2}));
  EXPECT_FALSE(AreRight(text, kNearAStep, {5, 2, 3}));
  const std::string sum =
      "input A[3]\ninput B[3]\nT[i:3] = i32(A[i] + B[i])\nY[j:2] = sum(k:2) "
      "T[k + j]\n";
  EXPECT_TRUE(AreRight(sum, kNearAStep, {1, 0}));
  EXPECT_TRUE(AreRight(sum, kNearAStep, {2, 0}));
  EXPECT_FALSE(AreRight(sum, kNearAStep, {2, 1}));
  const std::string largest =
      "input A[3]\ninput B[3]\nT[i:3] = i8(A[i] + B[i])\nY[] = max(k:3) "
      "max(i32(T[k]), 0)\n";
  EXPECT_FALSE(MakeErrorDag(DagOf(largest))->bounds[0] == std::nullopt);
}

TEST(DoubtTest, InexactComparisonsMayTurnIntegers) {
  const std::string text =
      "input A[3]\ninput B[3]\nY[i:3] = select(A[i] + B[i] >= 1, i32(7), i32(5))\n";
  EXPECT_TRUE(AreRight(text, kNearAStep, {5, 7, 5}));
  EXPECT_TRUE(AreRight(text, kNearAStep, {7, 7, 5}));
  EXPECT_FALSE(AreRight(text, kNearAStep, {7, 5, 5}));
  // Comparisons of integers themselves.
  const std::string again =
      "input A[3]\ninput B[3]\nT[i:3] = i32(A[i] + B[i])\n"
      "Y[i:3] = select(T[i] == 1, i32(7), i32(5))\n";
  EXPECT_TRUE(AreRight(again, kNearAStep, {5, 7, 5}));
  EXPECT_TRUE(AreRight(again, kNearAStep, {7, 7, 5}));
  EXPECT_FALSE(AreRight(again, kNearAStep, {7, 5, 5}));
}

// max and min leave out a sure NaN at any place.
TEST(DoubtTest, ExtremesLeaveOutNoNumbers) {
  const std::vector<std::vector<float>> inputs = {{-1, 1, 0.5, -0.5, -1, -2}};
  const std::string reduced = "input A[3, 2]\nM[i:3] = max(k:2) log(A[i, k])\n";
  EXPECT_TRUE(IsRight(reduced, inputs, {0, -0.6931472f, -INFINITY}));
  EXPECT_FALSE(IsRight(reduced, inputs, {NAN, -0.6931472f, -INFINITY}));
  EXPECT_FALSE(IsRight(reduced, inputs, {0, NAN, -INFINITY}));
  EXPECT_FALSE(IsRight(reduced, inputs, {0, -0.6931472f, NAN}));
  for (const char* extreme : {"max(-9.0, log(A[i]))", "max(log(A[i]), -9.0)"}) {
    const std::string text = std::string("input A[2]\nY[i:2] = ") + extreme + "\n";
    EXPECT_TRUE(IsRight(text, {{-1, 0.5}}, {-9, -0.6931472f})) << extreme;
    EXPECT_FALSE(IsRight(text, {{-1, 0.5}}, {NAN, -0.6931472f})) << extreme;
    EXPECT_FALSE(IsRight(text, {{-1, 0.5}}, {-9, -9})) << extreme;
  }
  // If both leave out NaN, the result is NaN.
  const std::string neither = "input A[1]\nY[i:1] = min(log(A[i]), sqrt(A[i]))\n";
  EXPECT_TRUE(IsRight(neither, {{-1}}, {NAN}));
}

// Rounding decides between a number and NaN: 1 + 2^-26 is 1 in f32.
TEST(DoubtTest, ExtremesOfNumbersInDoubtHaveNoBound) {
  const std::string text =
      "input A[2]\ninput B[2]\ninput C[3]\n"
      "M[i:2] = max(k:3) select(A[i] + B[i] > 1, log(C[k]), 5.0)\n";
  const std::vector<std::vector<float>> inputs = {{1, 1}, {0x1p-26f, 1}, {-1, -2, -1}};
  EXPECT_TRUE(IsRight(text, inputs, {5, -INFINITY}));
  EXPECT_TRUE(IsRight(text, inputs, {-INFINITY, -INFINITY}));
  EXPECT_FALSE(IsRight(text, inputs, {5, 5}));
}

// A sum of infinities of both signs, or of NaN, may be any of them.
TEST(DoubtTest, SumsOfInfinitiesHaveNoBound) {
  const std::string text = "input A[1, 3]\nY[i:1] = sum(k:3) 1.0 / A[i, k]\n";
  for (float found : {INFINITY, -INFINITY, NAN}) {
    EXPECT_TRUE(IsRight(text, {{0, -0.0f, 1}}, {found}));
    EXPECT_TRUE(IsRight("input A[1, 3]\nY[i:1] = sum(k:3) A[i, k] / A[i, k] / A[i, k]\n",
                        {{0, 1e-30f, 1}}, {found}));
  }
}

// A term that a sum may leave out is 0, or 0 times NaN.
TEST(DoubtTest, SumsMayLeaveOutWhatIsTimesZero) {
  const std::string text =
      "input A[3]\ninput B[3]\nY[i:1] = sum(k:3) select(k < 2, A[k], 0) * log(B[k])\n";
  EXPECT_TRUE(IsRight(text, {{1, 1, 1}, {1, 1, -1}}, {0}));
  EXPECT_TRUE(IsRight(text, {{1, 1, 1}, {1, 1, -1}}, {NAN}));
  EXPECT_FALSE(IsRight(text, {{1, 1, 1}, {1, 1, 1}}, {NAN}));
}

// (a + e)^8 is far from a^8 (1 + 8 e / a) where a is hardly larger than e.
TEST(DoubtTest, WholePowersOfUncertainBases) {
  const std::string text = "input A[2]\ninput B[2]\nY[i:2] = 1e10 * pow(A[i] + B[i] - 1.0, 2.0)\n";
  const std::vector<std::vector<float>> inputs = {{1, -3}, {0x1p-26f, 2}};
  EXPECT_TRUE(IsRight(text, inputs, {0, 4e10f}));
  EXPECT_FALSE(IsRight(text, inputs, {1, 4e10f}));
}

}  // namespace
}  // namespace schedulegym
