// Derive: derives the sketches of a computation from rules.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "spaces/ansor/annotate.h"
#include "spaces/ansor/open_sketch.h"
#include "spaces/ansor/sketch_rule.h"
#include "spaces/bind_threads.h"

namespace schedulegym {

// Derives breadth first, like the published code: all stages from last to first, and at each stage
// the rules in order until one decides. Never empty if some rule fits every stage. Vectors have at
// most `most_vector` elements; blocks of untiled stages have at most `most_warps` warps.
std::vector<OpenSketch> DeriveSketches(const std::shared_ptr<const Task>& task,
                                       const std::vector<SketchRule>& rules,
                                       int64_t most_vector = kMostVector,
                                       int64_t most_warps = kMostWarps);

// Returns the open annotations of a structure that the rules made. CPUs: places of untiled stages,
// unrolling of reductions, vectorized innermost loops, parallel outermost loops. If neither a tile
// nor a place decides a loop's length, a vector is offered up to `most_vector` elements, like in
// sampling. GPUs: vectors of copies, unrolling, and the threads of a block for each stage at the
// root that the rules left unchanged.
std::vector<OpenAnnotation> OpenAnnotationsOf(const SketchFacts& facts, const ScheduleState& state,
                                              int64_t most_vector, int64_t most_warps);

}  // namespace schedulegym
