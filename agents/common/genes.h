// Genes: the decisions in a schedule that another one of the same structure may have taken
// otherwise.
#pragma once

#include <cstdint>
#include <vector>

#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/schedule/state.h"
#include "env/search/sketch.h"

namespace schedulegym {

// Of its trace: lengths of a split together, and what is unrolled.
int64_t CountGenes(const ScheduleState& state);

// Single-point crossover, cut at random: where both parents are points of one of the sketches, of
// its knobs (sketch_place.h); else the first steps of one trace, then the other's, cut where both
// have one structure so far. Illegal where there is no such cut, or where the rest does not go with
// the beginning.
Result<ScheduleState> Crossed(const std::vector<Sketch>& sketches, const ScheduleState& first,
                              const ScheduleState& second, Rng& rng);

}  // namespace schedulegym
