// Mutate: a schedule in which one decision was made anew.
#pragma once

#include <cstdint>

#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/schedule/state.h"
#include "spaces/ansor/sketch_rule.h"
#include "spaces/bind_threads.h"

namespace schedulegym {

// Each is one of Ansor's mutations (TVM 0.16, sketch_policy_rules), and works on any trace. An
// error where there is nothing to change, the draw changes nothing, or what follows is illegal
// then; the next draw may succeed. None keeps what RewriteWeights or BindThreads added, but for the
// threads of a block that an untiled stage was given (InBlocks).

// Moves a factor from one length of a split to another, the outermost among them.
Result<ScheduleState> MutateTile(const ScheduleState& state, Rng& rng);

// Gives a pragma auto_unroll_max_step another of the published values, or the same.
Result<ScheduleState> MutateUnroll(const ScheduleState& state, Rng& rng);

// Computes a stage that is neither tiled nor worth tiles, and stands in another, elsewhere there.
Result<ScheduleState> MutateLocation(const SketchFacts& facts, const ScheduleState& state,
                                     Rng& rng);

// On GPUs gives the blocks of a stage at the root that is not tiled another number of threads.
Result<ScheduleState> MutateBlocks(const ScheduleState& state, int64_t most_warps, Rng& rng);

// Fuses fewer or more loops before the first loop of a stage is made parallel.
Result<ScheduleState> MutateParallel(const ScheduleState& state, Rng& rng);

// One of them, with the published chances on CPUs: 0.90, 0.04, 0.05 and 0.01; on GPUs a tile or an
// unrolling: 0.90 and 0.10, where the threads of a block of an untiled stage count as one more
// tile.
Result<ScheduleState> Mutate(const SketchFacts& facts, const ScheduleState& state, Rng& rng,
                             int64_t most_warps = kMostWarps);

}  // namespace schedulegym
