// RatePlan: how the learning rate changes over a training.
#pragma once

#include <cstdint>

namespace schedulegym {

enum class RatePlan : uint8_t {
  kConstant,
  // Half a cosine, from the rate down to 0 (Loshchilov and Hutter, "SGDR", ICLR 2017).
  kCosine,
  // Half a cosine up from 1/25 of the rate in the first 30 % of the steps, and another one down to
  // 1/250,000 of it (Smith and Topin, "Super-convergence", 2019; constants of PyTorch's
  // OneCycleLR). The moments' shares, which that cycles, too, stay as they are.
  kOneCycle,
};

// Of step `step`, from 0, of `steps`.
double RateAt(RatePlan plan, double rate, int64_t step, int64_t steps);

}  // namespace schedulegym
