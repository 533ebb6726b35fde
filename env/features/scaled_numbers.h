// Scaled numbers: values of any size as shares within [0, 1], for networks.
#pragma once

#include <algorithm>
#include <cmath>

namespace schedulegym {

// Doublings that extents, strides and steps of a loop may have.
inline constexpr double kMostLog2 = 32;

// Of a value that is not negative.
inline float Share(double value, double most) {
  return static_cast<float>(std::min(1.0, value / most));
}

// log2(1 + value) as a share of `most` doublings.
inline float Log2Scaled(double value, double most = kMostLog2) {
  return Share(std::log2(1 + value), most);
}

}  // namespace schedulegym
