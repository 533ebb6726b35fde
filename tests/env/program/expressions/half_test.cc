#include "env/program/expressions/half.h"

#include <gtest/gtest.h>

#include <cmath>

#include "env/base/rng.h"
#include "env/program/expressions/operators.h"

namespace schedulegym {
namespace {

constexpr DType kHalves[] = {DType::kF16, DType::kBF16};

bool IsNan(DType type, uint16_t bits) { return std::isnan(HalfToFloat(type, bits)); }

// From the formats' definitions: IEEE 754-2019, table 3.5, and the upper half of a float.
TEST(HalfTest, BitsKnownByHeart) {
  EXPECT_EQ(HalfToFloat(DType::kF16, 0x3c00), 1.0f);
  EXPECT_EQ(HalfToFloat(DType::kF16, 0xc100), -2.5f);
  EXPECT_EQ(HalfToFloat(DType::kF16, 0x7bff), 65504.0f);
  EXPECT_EQ(HalfToFloat(DType::kF16, 0x0001), 0x1p-24f);
  EXPECT_EQ(HalfToFloat(DType::kF16, 0x03ff), 1023 * 0x1p-24f);
  EXPECT_EQ(HalfToFloat(DType::kF16, 0x0400), 0x1p-14f);
  EXPECT_EQ(HalfToFloat(DType::kF16, 0xfc00), -HUGE_VALF);
  EXPECT_EQ(HalfToFloat(DType::kBF16, 0x3f80), 1.0f);
  EXPECT_EQ(HalfToFloat(DType::kBF16, 0x7f7f), 0x1.fep127f);
  EXPECT_EQ(HalfToFloat(DType::kBF16, 0xff80), -HUGE_VALF);
  EXPECT_TRUE(std::signbit(HalfToFloat(DType::kF16, 0x8000)));
  EXPECT_TRUE(IsNan(DType::kF16, 0x7c01) && IsNan(DType::kBF16, 0xff81));
}

TEST(HalfTest, EveryPatternComesBack) {
  for (const DType type : kHalves) {
    for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
      const auto half = static_cast<uint16_t>(bits);
      const uint16_t back = FloatToHalf(type, HalfToFloat(type, half));
      if (IsNan(type, half) ? !IsNan(type, back) : back != half) {
        ADD_FAILURE() << DTypeName(type) << " " << bits << " comes back as " << back;
      }
    }
  }
}

// Values between each half and the next: the middle rounds to even, its neighbours to the nearer.
TEST(HalfTest, RoundsToTheNearestAndTiesToEven) {
  for (const DType type : kHalves) {
    const uint16_t infinite = type == DType::kF16 ? 0x7c00 : 0x7f80;
    for (uint16_t low = 0; low + 1 < infinite; ++low) {
      const double from = HalfToFloat(type, low);
      const double to = HalfToFloat(type, static_cast<uint16_t>(low + 1));
      const double middle = (from + to) / 2;
      const auto high = static_cast<uint16_t>(low + 1);
      const uint16_t even = low % 2 == 0 ? low : high;
      EXPECT_EQ(DoubleToHalf(type, middle), even);
      EXPECT_EQ(DoubleToHalf(type, std::nextafter(middle, 0)), low);
      EXPECT_EQ(DoubleToHalf(type, std::nextafter(middle, to)), high);
      EXPECT_EQ(DoubleToHalf(type, -middle), even | 0x8000);
      // A float holds the middle, except for the least numbers of bf16.
      if (static_cast<float>(middle) == middle) {
        EXPECT_EQ(FloatToHalf(type, static_cast<float>(middle)), even);
      }
    }
  }
}

TEST(HalfTest, WhatIsTooLargeIsInfinite) {
  EXPECT_EQ(FloatToHalf(DType::kF16, 65519.0f), 0x7bff);
  EXPECT_EQ(FloatToHalf(DType::kF16, 65520.0f), 0x7c00);
  EXPECT_EQ(FloatToHalf(DType::kF16, -1e30f), 0xfc00);
  EXPECT_EQ(DoubleToHalf(DType::kBF16, -1e300), 0xff80);
  EXPECT_EQ(DoubleToHalf(DType::kBF16, HUGE_VAL), 0x7f80);
  for (const DType type : kHalves) {
    EXPECT_TRUE(IsNan(type, FloatToHalf(type, NAN)));
    EXPECT_TRUE(IsNan(type, DoubleToHalf(type, -std::nan(""))));
  }
}

TEST(HalfTest, RoundsAsTheTypeDoes) {
  Rng rng(5);
  for (const DType type : kHalves) {
    for (int i = 0; i < 100000; ++i) {
      const auto value = std::bit_cast<double>(rng.Next() & 0xbfffffffffffffffu);
      const auto narrow = std::bit_cast<float>(static_cast<uint32_t>(rng.Next() >> 32));
      if (std::isnan(value) || std::isnan(narrow)) continue;
      EXPECT_EQ(HalfToFloat(type, DoubleToHalf(type, value)), RoundToType(type, value));
      EXPECT_EQ(HalfToFloat(type, FloatToHalf(type, narrow)), RoundToType(type, narrow));
    }
  }
}

}  // namespace
}  // namespace schedulegym
