// Open annotations: what may be added to a sketch, whatever lengths its tiles get.
#pragma once

#include <vector>

#include "spaces/sketches/open_sketch.h"
#include "spaces/sketches/sketch_rule.h"

namespace schedulegym {

// Of a structure as the rules made it: places of stages that are not tiled, unrolling of
// reductions, innermost loops in vectors, outermost loops in parallel.
std::vector<OpenAnnotation> OpenAnnotationsOf(const SketchFacts& facts, const ScheduleState& state);

}  // namespace schedulegym
