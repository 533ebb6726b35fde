// Half: f16 and bf16 numbers as their 16 bits in memory.
#pragma once

#include <bit>
#include <cstdint>

#include "env/program/expressions/dtype.h"

namespace schedulegym {

// f16 or bf16.
inline bool IsHalf(DType type) { return type == DType::kF16 || type == DType::kBF16; }

// f16 is IEEE binary16: 1 sign bit, 5 of exponent with bias 15, 10 of fraction. bf16 is the upper
// half of an f32. Every half is a float.
inline float HalfToFloat(DType type, uint16_t bits) {
  if (type == DType::kBF16) return std::bit_cast<float>(uint32_t{bits} << 16);
  const uint32_t exponent = bits >> 10 & 31u, fraction = bits & 1023u;
  const uint32_t sign = (bits & 0x8000u) << 16;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  const uint32_t wide = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

// Rounds to nearest even. Values that are too large become infinite; NaN becomes a quiet NaN.
uint16_t FloatToHalf(DType type, float value);
// The same for a double, rounded once.
uint16_t DoubleToHalf(DType type, double value);

}  // namespace schedulegym
