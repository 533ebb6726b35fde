// Derive: from a computation to the sketches that rules allow.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "spaces/ansor/annotate.h"
#include "spaces/ansor/open_sketch.h"
#include "spaces/ansor/sketch_rule.h"
#include "spaces/bind_threads.h"

namespace schedulegym {

// Breadth first, as the published code does it: all stages from the last to the first, at each the
// rules in order until one decides. Never empty if some rule fits every stage. Loops become vectors
// of so many elements, and blocks of stages that are not tiled have so many warps, at most.
std::vector<OpenSketch> DeriveSketches(const std::shared_ptr<const Task>& task,
                                       const std::vector<SketchRule>& rules,
                                       int64_t most_vector = kMostVector,
                                       int64_t most_warps = kMostWarps);

// Of a structure as the rules made it: places of stages that are not tiled, unrolling of
// reductions, innermost loops in vectors, outermost loops in parallel. A loop whose length neither
// a tile nor a place decides is offered as a vector where it has so many elements at most, as draws
// have it. On GPUs vectors of copies, unrolling, and threads of a block of each stage at the root
// that rules left as it was.
std::vector<OpenAnnotation> OpenAnnotationsOf(const SketchFacts& facts, const ScheduleState& state,
                                              int64_t most_vector, int64_t most_warps);

}  // namespace schedulegym
