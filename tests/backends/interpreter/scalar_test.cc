#include "backends/interpreter/checked_buffer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace schedulegym {
namespace {

int64_t OnIntegers(Op op, DType type, int64_t a, int64_t b) {
  return BinaryScalar(op, type, IntegerScalar(a), IntegerScalar(b)).integer;
}
double OnNumbers(Op op, DType type, double a, double b) {
  return BinaryScalar(op, type, NumberScalar(a), NumberScalar(b)).number;
}

TEST(Scalar, IntegersWrap) {
  EXPECT_EQ(OnIntegers(Op::kAdd, DType::kI8, 127, 1), -128);
  EXPECT_EQ(OnIntegers(Op::kMultiply, DType::kI8, 16, 16), 0);
  EXPECT_EQ(OnIntegers(Op::kSubtract, DType::kI32, -2147483648LL, 1), 2147483647);
  EXPECT_EQ(OnIntegers(Op::kAdd, DType::kIndex, int64_t{1} << 40, 1), (int64_t{1} << 40) + 1);
  EXPECT_EQ(UnaryScalar(Op::kNegate, DType::kI8, IntegerScalar(-128)).integer, -128);
  EXPECT_EQ(UnaryScalar(Op::kAbs, DType::kI32, IntegerScalar(-2147483648LL)).integer,
            -2147483648LL);
}

TEST(Scalar, DivisionTruncatesAndFloors) {
  EXPECT_EQ(OnIntegers(Op::kDivide, DType::kI32, -7, 2), -3);
  EXPECT_EQ(OnIntegers(Op::kFloorDivide, DType::kI32, -7, 2), -4);
  EXPECT_EQ(OnIntegers(Op::kModulo, DType::kI32, -7, 2), 1);
  EXPECT_EQ(OnIntegers(Op::kModulo, DType::kI32, 7, -2), -1);
  EXPECT_EQ(OnNumbers(Op::kFloorDivide, DType::kF32, -7, 2), -4);
  EXPECT_EQ(OnNumbers(Op::kModulo, DType::kF64, -7.5, 2), 0.5);
}

TEST(Scalar, DivisionsWithoutResultAreDefined) {
  for (const Op op : {Op::kDivide, Op::kFloorDivide, Op::kModulo}) {
    EXPECT_EQ(OnIntegers(op, DType::kI32, 5, 0), 0);
  }
  EXPECT_EQ(OnIntegers(Op::kDivide, DType::kI32, -2147483648LL, -1), -2147483648LL);
  EXPECT_EQ(OnIntegers(Op::kModulo, DType::kI32, -2147483648LL, -1), 0);
  EXPECT_EQ(OnIntegers(Op::kDivide, DType::kIndex, std::numeric_limits<int64_t>::min(), -1),
            std::numeric_limits<int64_t>::min());
}

TEST(Scalar, FloatsAreRoundedToTheirType) {
  EXPECT_EQ(OnNumbers(Op::kAdd, DType::kF32, 16777216, 1), 16777216);
  EXPECT_EQ(OnNumbers(Op::kAdd, DType::kF64, 16777216, 1), 16777217);
  EXPECT_EQ(OnNumbers(Op::kAdd, DType::kF16, 2048, 1), 2048);
  EXPECT_EQ(OnNumbers(Op::kMultiply, DType::kBF16, 1.0078125, 1.0078125), 1.015625);
  EXPECT_EQ(UnaryScalar(Op::kSqrt, DType::kF32, NumberScalar(2)).number, std::sqrt(2.0f));
}

// IEEE 754-2019, maximumNumber and minimumNumber.
TEST(Scalar, ExtremesOfOneNumberAreTheNumber) {
  const double nan = std::nan("");
  for (const Op op : {Op::kMax, Op::kMin}) {
    EXPECT_EQ(OnNumbers(op, DType::kF32, nan, 1), 1);
    EXPECT_EQ(OnNumbers(op, DType::kF32, 1, nan), 1);
    EXPECT_EQ(OnNumbers(op, DType::kF64, nan, -INFINITY), -INFINITY);
    EXPECT_EQ(OnNumbers(op, DType::kF64, INFINITY, nan), INFINITY);
    EXPECT_TRUE(std::isnan(OnNumbers(op, DType::kF32, nan, nan)));
  }
}

TEST(Scalar, CastsSaturateAndWrap) {
  const auto to = [](DType type, double value) {
    return CastScalar(DType::kF32, type, NumberScalar(value)).integer;
  };
  EXPECT_EQ(to(DType::kI8, -3.9), -3);
  EXPECT_EQ(to(DType::kI8, 1000), 127);
  EXPECT_EQ(to(DType::kI32, -1e20), -2147483648LL);
  EXPECT_EQ(to(DType::kI32, std::nan("")), 0);
  EXPECT_EQ(CastScalar(DType::kI32, DType::kI8, IntegerScalar(300)).integer, 44);
  EXPECT_EQ(CastScalar(DType::kI32, DType::kF32, IntegerScalar(16777217)).number, 16777216);
  EXPECT_EQ(CastScalar(DType::kBool, DType::kF32, IntegerScalar(1)).number, 1);
}

// Every bit pattern of the two half types that is a number survives.
TEST(Scalar, HalvesKeepEveryPattern) {
  for (const DType type : {DType::kF16, DType::kBF16}) {
    for (int bits = 0; bits < 1 << 16; ++bits) {
      const uint16_t pattern = static_cast<uint16_t>(bits);
      uint16_t back = 0;
      const Scalar value = LoadScalar(type, &pattern);
      StoreScalar(type, value, &back);
      if (std::isnan(value.number)) {
        EXPECT_TRUE(std::isnan(LoadScalar(type, &back).number));
      } else {
        ASSERT_EQ(back, pattern) << DTypeName(type);
      }
    }
  }
}

}  // namespace
}  // namespace schedulegym
