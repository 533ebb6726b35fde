// Open annotations: what may be added to a sketch, whatever lengths its tiles get.
#pragma once

#include <cstdint>
#include <vector>

#include "spaces/ansor/open_sketch.h"
#include "spaces/ansor/sketch_rule.h"

namespace schedulegym {

// Of a structure as the rules made it: places of stages that are not tiled, unrolling of
// reductions, innermost loops in vectors, outermost loops in parallel. A loop whose length neither
// a tile nor a place decides is offered as a vector where it has so many elements at most, as draws
// have it.
std::vector<OpenAnnotation> OpenAnnotationsOf(const SketchFacts& facts, const ScheduleState& state,
                                              int64_t most_vector);

}  // namespace schedulegym
