// MapNest: the loops of an elementwise stage.
#pragma once

#include <vector>

#include "spaces/draft.h"
#include "spaces/schedulegym/advice.h"

namespace schedulegym {

// Vectorizes along the innermost loop and, if the plan says so, makes outer ones parallel.
void ApplyMap(Draft& draft, int stage, const MapPlan& plan);

// The loops of a stage within its outer ones: the innermost vectorized, short ones around it
// unrolled. Those of a reduction stay.
void FinishBlock(Draft& draft, int stage, const MapPlan& plan, const std::vector<int>& outer);

}  // namespace schedulegym
