// Draws of the standard normal distribution.
#pragma once

#include <cmath>
#include <numbers>

#include "env/base/rng.h"

namespace schedulegym {

// Draws a number from two uniform draws (Box and Muller, 1958).
inline double DrawNormal(Rng& rng) {
  const double radius = std::sqrt(-2 * std::log(1 - rng.Uniform()));
  return radius * std::cos(2 * std::numbers::pi * rng.Uniform());
}

}  // namespace schedulegym
