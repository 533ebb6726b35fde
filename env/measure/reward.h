// Reward: what a measured ratio is worth to one who learns from it.
#pragma once

#include "env/measure/measurement.h"

namespace schedulegym {

// The logarithm of the ratio; 0 where its verdict is same or ambiguous, so that noise teaches
// nothing.
double LogRatioReward(const RatioInterval& ratio);

}  // namespace schedulegym
