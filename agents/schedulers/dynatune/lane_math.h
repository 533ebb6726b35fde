// Exponential and logarithm that compilers can turn into vector code, in single precision.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

// Inlined even where the caller is compiled for a newer machine, whose instructions it then gets.
#define SG_LANE inline __attribute__((always_inline))

namespace schedulegym {

SG_LANE double Exp(double x) { return std::exp(x); }
SG_LANE double Log(double x) { return std::log(x); }

// Relative error below 3e-7; beyond +-40 as at 40, so that neither it nor its square is infinite.
SG_LANE float Exp(float x) {
  constexpr float kMost = 40;
  // Adding it rounds to an integer, which is then in the lowest bits.
  constexpr float kRound = 0x1.8p23f;
  constexpr float kLog2e = 0x1.715476p0f;
  // ln 2 in two parts, the first with few digits, so that its multiples are exact.
  constexpr float kLn2High = 0x1.63p-1f, kLn2Low = -0x1.bd0106p-13f;
  x = x > kMost ? kMost : x;
  x = x < -kMost ? -kMost : x;
  const float shifted = x * kLog2e + kRound;
  const float n = shifted - kRound;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  // Taylor: |r| <= ln 2 / 2, the next term is below 1e-8.
  float sum = 1.0f / 5040;
  sum = sum * r + 1.0f / 720;
  sum = sum * r + 1.0f / 120;
  sum = sum * r + 1.0f / 24;
  sum = sum * r + 1.0f / 6;
  sum = sum * r + 0.5f;
  sum = sum * r + 1;
  sum = sum * r + 1;
  const uint32_t bits = std::bit_cast<uint32_t>(shifted);
  return sum * std::bit_cast<float>((bits + 127) << 23);
}

// Relative error below 3e-7 but near 1, where the absolute error is below 1e-7. Of a normal number
// above 0; of another, some number.
SG_LANE float Log(float x) {
  constexpr float kLn2 = 0x1.62e430p-1f;
  constexpr uint32_t kSqrtHalf = 0x3f3504f3;  // the bits of sqrt(1/2)
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const int32_t exponent = static_cast<int32_t>(bits - kSqrtHalf) >> 23;
  const float m = std::bit_cast<float>(bits - (static_cast<uint32_t>(exponent) << 23));
  // ln m = 2 artanh s, m in [sqrt(1/2), sqrt(2)), |s| < 0.172; the next term is below 1e-8.
  const float s = (m - 1) / (m + 1), squared = s * s;
  float sum = 2.0f / 9;
  sum = sum * squared + 2.0f / 7;
  sum = sum * squared + 2.0f / 5;
  sum = sum * squared + 2.0f / 3;
  sum = sum * squared + 2;
  return static_cast<float>(exponent) * kLn2 + s * sum;
}

}  // namespace schedulegym
