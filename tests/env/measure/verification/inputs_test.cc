#include "env/measure/verification/inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "env/program/expressions/half.h"
#include "env/program/expressions/operators.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

Tensor VectorOf(DType type, int64_t length = 4000) {
  Tensor tensor;
  tensor.name = "X";
  tensor.type = type;
  tensor.shape = {length};
  return tensor;
}

template <typename T>
std::vector<T> Fill(DType type, InputPattern pattern, ExactPlan plan = {}, uint64_t seed = 1) {
  std::vector<T> values(4000);
  Rng rng(seed);
  FillInput(VectorOf(type), pattern, plan, rng, values.data());
  return values;
}

TEST(InputsTest, EveryTaskHasItsOwn) {
  const Key one = {1, 2}, other = {1, 3};
  EXPECT_EQ(InputSeed(one), InputSeed(Key(one)));
  EXPECT_NE(InputSeed(one), InputSeed(other));
}

TEST(InputsTest, SmallIntegersTakeTheWholeRange) {
  const ExactPlan plan{.outputs = {0}, .range = 3};
  const auto values = Fill<float>(DType::kF32, InputPattern::kIntegers, plan);
  EXPECT_EQ(std::set<float>(values.begin(), values.end()),
            (std::set<float>{-3, -2, -1, 0, 1, 2, 3}));
  const auto bytes = Fill<int8_t>(DType::kI8, InputPattern::kIntegers, plan);
  EXPECT_EQ(std::set<int>(bytes.begin(), bytes.end()), (std::set<int>{-3, -2, -1, 0, 1, 2, 3}));
}

TEST(InputsTest, SparseOnesAreMostlyZero) {
  const ExactPlan plan{.outputs = {0}, .range = 3};
  const auto values = Fill<float>(DType::kF32, InputPattern::kSparseIntegers, plan);
  const auto zeros = std::count(values.begin(), values.end(), 0.0f);
  // 3/4 and a seventh of the rest; five standard deviations are 0.033.
  EXPECT_NEAR(static_cast<double>(zeros) / 4000, 0.75 + 0.25 / 7, 0.033);
}

TEST(InputsTest, PositiveOnesHaveNoZero) {
  const ExactPlan plan{.outputs = {0}, .range = 2, .positive = true};
  for (InputPattern pattern : {InputPattern::kIntegers, InputPattern::kSparseIntegers}) {
    const auto values = Fill<int32_t>(DType::kI32, pattern, plan);
    EXPECT_EQ(std::set<int32_t>(values.begin(), values.end()), (std::set<int32_t>{1, 2}));
  }
}

TEST(InputsTest, RealsAreSignedAndTheSameInBothPrecisions) {
  const auto values = Fill<float>(DType::kF32, InputPattern::kReals);
  const auto doubles = Fill<double>(DType::kF64, InputPattern::kReals);
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_GE(values[i], -1);
    EXPECT_LT(values[i], 1);
    EXPECT_EQ(static_cast<double>(values[i]), doubles[i]);
    sum += doubles[i];
  }
  EXPECT_NEAR(sum / 4000, 0, 5 * 0.577 / std::sqrt(4000));
  for (float value : Fill<float>(DType::kF32, InputPattern::kPositiveReals)) {
    EXPECT_GE(value, 0.25);
    EXPECT_LT(value, 1.25);
  }
}

TEST(InputsTest, IntegersOfRealSetsSpanTheirType) {
  const auto bytes = Fill<int8_t>(DType::kI8, InputPattern::kReals);
  EXPECT_EQ(*std::min_element(bytes.begin(), bytes.end()), -128);
  EXPECT_EQ(*std::max_element(bytes.begin(), bytes.end()), 127);
  const auto words = Fill<int32_t>(DType::kI32, InputPattern::kReals);
  EXPECT_LT(*std::min_element(words.begin(), words.end()), -2'000'000'000);
  EXPECT_GT(*std::max_element(words.begin(), words.end()), 2'000'000'000);
  const auto positive = Fill<int8_t>(DType::kI8, InputPattern::kPositiveReals);
  EXPECT_EQ(*std::min_element(positive.begin(), positive.end()), 1);
}

TEST(InputsTest, ASeedGivesTheSameValues) {
  const auto first = Fill<float>(DType::kF32, InputPattern::kReals, {}, 5);
  EXPECT_EQ(first, Fill<float>(DType::kF32, InputPattern::kReals, {}, 5));
  EXPECT_NE(first, Fill<float>(DType::kF32, InputPattern::kReals, {}, 6));
}

// Halves are the floats of the same seed, rounded.
TEST(InputsTest, HalvesAreRounded) {
  const ExactPlan plan{.outputs = {0}, .range = 3};
  for (const InputPattern pattern : {InputPattern::kIntegers, InputPattern::kReals}) {
    const auto floats = Fill<float>(DType::kF32, pattern, plan);
    for (const DType type : {DType::kF16, DType::kBF16}) {
      const auto halves = Fill<uint16_t>(type, pattern, plan);
      for (size_t i = 0; i < halves.size(); ++i) {
        EXPECT_EQ(HalfToFloat(type, halves[i]), RoundToType(type, floats[i]));
      }
    }
  }
}

// 4096 products of up to 8 * 8 need more bits than f16 has, but are rounded once.
TEST(InputsTest, SumsThatAreRoundedOnceAreComparedBitByBit) {
  const auto matmul = [](const std::string& type, const std::string& depth) {
    return DagOf("input A[4, " + depth + "] : " + type + "\ninput B[" + depth + ", 4] : " + type +
                 "\nC[i:4, j:4] = sum(k:" + depth + ") A[i, k] * B[k, j]\n");
  };
  EXPECT_EQ(PlanExact(matmul("f16", "256")).range, 8);
  EXPECT_EQ(PlanExact(matmul("bf16", "4096")).range, 8);
  // 65504 is the largest number of f16: 4096 * 4 * 4 are too many.
  EXPECT_EQ(PlanExact(matmul("f16", "4096")).range, 3);
  EXPECT_TRUE(PlanExact(matmul("f16", "100000")).outputs.empty());
}

}  // namespace
}  // namespace schedulegym
