// Niche: the schedules of a task that compute its stages in the same places.
#pragma once

#include <vector>

#include "env/base/hash.h"
#include "env/schedule/state.h"
#include "env/search/cost_model.h"

namespace schedulegym {

// Equal for schedules that inline, copy, pack and factor the same stages and compute each at the
// same loop of the same other one; tiles, annotations and layouts may differ.
//
// A search that asks only for the best moves to one niche as soon as that one's tiles are a little
// better refined than those of the others, and never learns what these would have reached.
Key NicheOf(const ScheduleState& state);

// The first of each niche, in the given order; `most` at most.
std::vector<const MeasuredState*> FirstOfNiches(const std::vector<const MeasuredState*>& order,
                                                int most);

}  // namespace schedulegym
