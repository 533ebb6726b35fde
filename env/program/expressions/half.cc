// The upper bits of a float are rounded by adding half of the last place that stays, less one where
// that place is even: a carry goes on into the exponent, and from the largest number to infinity.
// Subnormal numbers of f16 are multiples of 2^-24, as floats from 0.5 to 1 are: adding 0.5 rounds
// them. A double becomes a float first, rounded to odd, which keeps the second rounding right
// (Boldo and Melquiond, Emulation of FMA and Correctly Rounded Sums, IEEE Transactions on Computers
// 57(4), 2008). Cost: O(1).
#include "env/program/expressions/half.h"

#include <cmath>

namespace schedulegym {
namespace {

uint32_t RoundUpper(uint32_t bits, int places) {
  const uint32_t last = bits >> places & 1;
  return (bits + (1u << (places - 1)) - 1 + last) >> places;
}

// Towards zero, with the last bit set where that is inexact.
float RoundToOdd(double value) {
  auto narrow = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(narrow) == value) return narrow;
  auto bits = std::bit_cast<uint32_t>(narrow);
  if (std::abs(static_cast<double>(narrow)) > std::abs(value)) --bits;
  return std::bit_cast<float>(bits | 1);
}

}  // namespace

uint16_t FloatToHalf(DType type, float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const bool is_brain = type == DType::kBF16;
  if (std::isnan(value)) {
    return static_cast<uint16_t>(bits >> 16 & 0x8000u) | (is_brain ? 0x7fc0 : 0x7e00);
  }
  if (is_brain) return static_cast<uint16_t>(RoundUpper(bits, 16));
  constexpr uint32_t kLeastNormal = 113u << 23, kHalf = 126u << 23;
  constexpr uint32_t kBias = 112u << 23, kInfinite = 143u << 23;
  const uint32_t magnitude = bits & 0x7fffffffu;
  uint32_t half = 0x7c00;
  if (magnitude < kLeastNormal) {
    half = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - kHalf;
  } else if (magnitude < kInfinite) {
    half = RoundUpper(magnitude - kBias, 13);
  }
  return static_cast<uint16_t>((bits >> 16 & 0x8000u) | half);
}

uint16_t DoubleToHalf(DType type, double value) { return FloatToHalf(type, RoundToOdd(value)); }

}  // namespace schedulegym
