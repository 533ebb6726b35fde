// BindThreads: binds the loops of a schedule to the blocks and threads of a GPU.
#pragma once

#include <cstdint>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Ansor's thread binding (TVM 0.16, InitThreadBind) of each stage at the root. In a tiled stage the
// first level of spatial loops becomes one loop of blocks, the second of virtual threads, the third
// of threads. In other stages all outer spatial loops are fused: into threads only if there is at
// most a warp of iterations, else split by a warp. Bound loops stay bound. A stage without spatial
// loops runs on one thread. If threads share a sum of the stage, or of one computed at its loops,
// the outer loops become blocks only. The threads of a block fetch a shared copy together: its
// loops, except a vector, are fused and split by the threads of the copy's reader.
Result<ScheduleState> BindThreads(ScheduleState state);

// True if a loop, spatial or reduction, is bound to threadIdx.x.
bool HasLoopOfThreads(const Stage& stage);

// True for a copy in shared memory that is computed within the tiles of its reader.
bool IsSharedCopy(const ScheduleState& state, int stage);
// Steps that vectorize such a copy by `elements`: all its loops are fused, then split.
Trace CopyInVectors(const ScheduleState& state, int copy, int64_t elements);

// Largest number of warps of a block: the limit of the hardware.
inline constexpr int64_t kMostWarps = 32;
// Possible numbers of threads of a block if a loop of `extent` iterations is split: a warp and its
// doublings, up to `extent`, the device's limit and `most_warps`. Empty if a warp suffices.
std::vector<int64_t> BlockSizes(const Target& target, int64_t extent, int64_t most_warps);
// Iterations that BindThreads would split into blocks, for a stage at the root that is neither
// tiled nor bound; 0 for other stages.
int64_t IterationsOfBlocks(const ScheduleState& state, int stage);
// Steps that bind such a stage with `threads` threads per block.
Trace InBlocks(const ScheduleState& state, int stage, int64_t threads);

// A stage that InBlocks or BindThreads bound in this way.
struct RootBlocks {
  int stage = 0;
  int64_t extent = 1;  // of the loop that is split
  int64_t threads = 1;
};
std::vector<RootBlocks> BlocksOf(const ScheduleState& state);

// The trace without the final steps that BindThreads added or could have added; this includes those
// of InBlocks.
Trace WithoutBindings(const ScheduleState& state);

// Checks that a device can launch it: threads, shared bytes and virtual threads of a block, and
// bytes of a vector, within the target's limits; at least a warp of threads if there is work for
// more than two warps. kIllegal with the value found.
Result<void> CheckLaunch(const ScheduleState& state);

}  // namespace schedulegym
