#include "env/measure/verification/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "env/program/expressions/half.h"

namespace schedulegym {
namespace {

Tensor Matrix(DType type) {
  Tensor tensor;
  tensor.name = "C";
  tensor.type = type;
  tensor.shape = {2, 3};
  return tensor;
}

TEST(CompareExactTest, NamesTheFirstDifference) {
  const std::vector<float> expected = {1, 2, 3, 4, 5, 6};
  std::vector<float> found = expected;
  EXPECT_EQ(CompareExact(Matrix(DType::kF32), found.data(), expected.data()), std::nullopt);
  found[4] = 5.5;
  found[5] = 0;
  EXPECT_EQ(CompareExact(Matrix(DType::kF32), found.data(), expected.data()),
            "C[1, 1] is 5.5, expected 5.0");
}

TEST(CompareExactTest, SignsOfZerosDoNotCount) {
  const std::vector<float> expected = {0, -0.0f, 3, 4, 5, 6};
  const std::vector<float> found = {-0.0f, 0, 3, 4, 5, 6};
  EXPECT_EQ(CompareExact(Matrix(DType::kF32), found.data(), expected.data()), std::nullopt);
}

TEST(CompareExactTest, OneBitCounts) {
  const std::vector<double> expected = {1, 2, 3, 4, 5, 6};
  std::vector<double> found = expected;
  found[2] = std::nextafter(3.0, 4.0);
  EXPECT_NE(CompareExact(Matrix(DType::kF64), found.data(), expected.data()), std::nullopt);
}

TEST(CompareExactTest, PoisonIsToldFromValues) {
  const std::vector<float> expected = {1, 2, 3, 4, 5, 6};
  std::vector<float> found = expected;
  Tensor tensor = Matrix(DType::kF32);
  Poison(tensor, found.data());
  EXPECT_EQ(CompareExact(tensor, found.data(), expected.data()),
            "C[0, 0] was not written, expected 1.0");
  const std::vector<int8_t> bytes = {1, 2, 3, 4, 5, 6};
  std::vector<int8_t> written = bytes;
  tensor = Matrix(DType::kI8);
  EXPECT_EQ(CompareExact(tensor, written.data(), bytes.data()), std::nullopt);
  Poison(tensor, written.data());
  EXPECT_EQ(CompareExact(tensor, written.data(), bytes.data()),
            "C[0, 0] was not written, expected 1");
  // A value equal to the pattern is accepted where it is expected.
  EXPECT_EQ(CompareExact(tensor, written.data(), written.data()), std::nullopt);
  std::vector<int32_t> words = {1, 2, 3, 4, 5, 6};
  std::vector<int32_t> wrong = words;
  wrong[3] = -4;
  EXPECT_EQ(CompareExact(Matrix(DType::kI32), wrong.data(), words.data()),
            "C[1, 0] is -4, expected 4");
}

TEST(CompareBoundedTest, TheBoundAndTheLastRoundingCount) {
  const std::vector<double> expected = {1, 2, 3, 4, 5, 6};
  const std::vector<double> bounds(6, 1e-3);
  std::vector<float> found(expected.begin(), expected.end());
  found[3] = 4.00099f;
  EXPECT_EQ(CompareBounded(Matrix(DType::kF32), found.data(), expected, bounds), std::nullopt);
  found[3] = 4.00101f;
  EXPECT_NE(CompareBounded(Matrix(DType::kF32), found.data(), expected, bounds), std::nullopt);
  // Without bounds one unit in the last place is too much; half of it is allowed.
  const std::vector<double> between = {1, 2, 3, 4, 5, 6 + 0x1p-23};
  const std::vector<float> near(expected.begin(), expected.end());
  EXPECT_EQ(CompareBounded(Matrix(DType::kF32), near.data(), between, {}), std::nullopt);
  std::vector<float> far = near;
  far[0] = 1 + 0x1p-23f;
  EXPECT_NE(CompareBounded(Matrix(DType::kF32), far.data(), expected, {}), std::nullopt);
}

TEST(CompareBoundedTest, WhatIsNotFiniteMustBeTheSame) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> expected = {inf, nan, 1, 1, 1, 1};
  std::vector<double> found = {inf, nan, 1, 1, 1, 1};
  const std::vector<double> bounds = {0, 0, inf, nan, 0, 0};
  EXPECT_EQ(CompareBounded(Matrix(DType::kF64), found.data(), expected, bounds), std::nullopt);
  found[0] = -inf;
  EXPECT_NE(CompareBounded(Matrix(DType::kF64), found.data(), expected, bounds), std::nullopt);
  found = {inf, 0, 1, 1, 1, 1};
  EXPECT_NE(CompareBounded(Matrix(DType::kF64), found.data(), expected, bounds), std::nullopt);
  // An infinite bound accepts any number.
  found = {inf, nan, 70, -5, 1, 1};
  EXPECT_EQ(CompareBounded(Matrix(DType::kF64), found.data(), expected, bounds), std::nullopt);
  found = {inf, nan, 1, 1, nan, 1};
  EXPECT_NE(CompareBounded(Matrix(DType::kF64), found.data(), expected, bounds), std::nullopt);
}

TEST(CompareBoundedTest, UnwrittenCellsAreNamed) {
  const std::vector<double> expected(6, std::numeric_limits<double>::quiet_NaN());
  std::vector<float> found(6);
  Poison(Matrix(DType::kF32), found.data());
  EXPECT_EQ(CompareBounded(Matrix(DType::kF32), found.data(), expected, {})->substr(0, 23),
            "C[0, 0] was not written");
}

// 1, 2 and NaN, as the bits of each type.
TEST(CompareExactTest, HalvesAreComparedAsNumbers) {
  for (const DType type : {DType::kF16, DType::kBF16}) {
    Tensor tensor = Matrix(type);
    tensor.shape = {1, 3};
    const auto half = [type](float value) { return FloatToHalf(type, value); };
    const uint16_t wanted[] = {half(1), half(0), half(NAN)};
    const uint16_t found[] = {half(1), half(-0.0f), static_cast<uint16_t>(half(NAN) | 1)};
    EXPECT_EQ(CompareExact(tensor, found, wanted), std::nullopt);
    const uint16_t other[] = {half(1), half(2), half(NAN)};
    EXPECT_EQ(CompareExact(tensor, other, wanted), "C[0, 1] is 2.0, expected 0.0");
    const uint16_t unwritten[] = {half(1), half(0), 0xffff};
    EXPECT_EQ(CompareExact(tensor, unwritten, wanted), "C[0, 2] was not written, expected nan");
  }
}

// Half of the last place (2^-11 in f16, 2^-8 in bf16), and the loss of a flushed subnormal.
TEST(CompareBoundedTest, HalvesMayBeOffByTheLastRounding) {
  for (const DType type : {DType::kF16, DType::kBF16}) {
    Tensor tensor = Matrix(type);
    tensor.shape = {};
    const double last = type == DType::kF16 ? 0x1p-11 : 0x1p-8;
    const uint16_t found = FloatToHalf(type, 1);
    EXPECT_EQ(CompareBounded(tensor, &found, std::vector{1 + 0.99 * last}, {}), std::nullopt);
    EXPECT_NE(CompareBounded(tensor, &found, std::vector{1 + 1.5 * last}, {}), std::nullopt);
  }
}

TEST(IndexTextTest, RowMajor) {
  EXPECT_EQ(IndexText(Matrix(DType::kF32), 5), "[1, 2]");
  Tensor scalar = Matrix(DType::kF32);
  scalar.shape = {};
  EXPECT_EQ(IndexText(scalar, 0), "[]");
}

TEST(HashMemoryTest, EveryByteCounts) {
  std::vector<unsigned char> memory(101);
  std::iota(memory.begin(), memory.end(), 0);
  const uint64_t whole = HashMemory(memory.data(), 101);
  for (unsigned char& byte : memory) {
    byte ^= 0x10;
    EXPECT_NE(HashMemory(memory.data(), 101), whole);
    byte ^= 0x10;
  }
  EXPECT_EQ(HashMemory(memory.data(), 101), whole);
  EXPECT_NE(HashMemory(memory.data(), 100), whole);
  std::swap(memory[0], memory[8]);
  EXPECT_NE(HashMemory(memory.data(), 101), whole);
}

TEST(FindPoisonTest, NamesTheFirstCellThatNobodyWrote) {
  std::vector<float> cells(6);
  Poison(Matrix(DType::kF32), cells.data());
  EXPECT_EQ(FindPoison(Matrix(DType::kF32), cells.data()), "C[0, 0] was not written");
  std::fill(cells.begin(), cells.begin() + 4, 1.0f);
  EXPECT_EQ(FindPoison(Matrix(DType::kF32), cells.data()), "C[1, 1] was not written");
  // Another NaN counts as an answer.
  std::fill(cells.begin() + 4, cells.end(), std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(FindPoison(Matrix(DType::kF32), cells.data()), std::nullopt);
}

TEST(FindPoisonTest, SomeIntegersMayHaveThatValueByChance) {
  std::vector<int8_t> cells(6);
  Poison(Matrix(DType::kI8), cells.data());
  EXPECT_TRUE(FindPoison(Matrix(DType::kI8), cells.data()).has_value());
  cells[3] = 1;
  EXPECT_EQ(FindPoison(Matrix(DType::kI8), cells.data()), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
