// UnevenSplits: how many splits of a schedule do not divide what they split.
#pragma once

#include "env/schedule/state.h"

namespace schedulegym {

// Whether `split` leaves a tail in a stage's whole tensor.
bool IsUneven(const Stage& stage, const SplitRelation& split);

// Each makes it harder to prove what the stage's loops touch (validate.h).
int UnevenSplits(const Stage& stage);

}  // namespace schedulegym
