// Integer mathematics of indices: floored division and arithmetic on ranges that cannot overflow.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace schedulegym {

// Bounds at or beyond this magnitude mean "unknown".
inline constexpr int64_t kUnbounded = int64_t{1} << 62;

// An inclusive range of integers; empty when low > high.
struct Range {
  int64_t low = 0;
  int64_t high = 0;

  bool operator==(const Range&) const = default;
};

inline int64_t FloorDivide(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return quotient - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0);
}
inline int64_t FloorModulo(int64_t a, int64_t b) { return a - FloorDivide(a, b) * b; }
inline int64_t CeilDivide(int64_t a, int64_t b) { return -FloorDivide(-a, b); }

inline int64_t Saturate(__int128 value) {
  if (value > kUnbounded) return kUnbounded;
  if (value < -kUnbounded) return -kUnbounded;
  return static_cast<int64_t>(value);
}

inline Range Plus(Range a, Range b) {
  return {Saturate(static_cast<__int128>(a.low) + b.low),
          Saturate(static_cast<__int128>(a.high) + b.high)};
}

inline Range Times(Range a, int64_t factor) {
  const int64_t x = Saturate(static_cast<__int128>(a.low) * factor);
  const int64_t y = Saturate(static_cast<__int128>(a.high) * factor);
  return {std::min(x, y), std::max(x, y)};
}

inline Range Times(Range a, Range b) {
  const Range x = Times(a, b.low);
  const Range y = Times(a, b.high);
  return {std::min(x.low, y.low), std::max(x.high, y.high)};
}

// Range of the floored division by a positive constant.
inline Range FloorDivide(Range a, int64_t divisor) {
  return {FloorDivide(a.low, divisor), FloorDivide(a.high, divisor)};
}
inline Range FloorModulo(Range a, int64_t divisor) {
  if (a.low > -kUnbounded && a.high < kUnbounded &&
      FloorDivide(a.low, divisor) == FloorDivide(a.high, divisor)) {
    return {FloorModulo(a.low, divisor), FloorModulo(a.high, divisor)};
  }
  return {0, divisor - 1};
}

}  // namespace schedulegym
