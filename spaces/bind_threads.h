// BindThreads: gives the loops of a schedule to the blocks and threads of a GPU.
#pragma once

#include <cstdint>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Ansor's thread binding (TVM 0.16, InitThreadBind), of each stage at the root: of a tiled one the
// first level of spatial loops becomes one loop of blocks, the second of virtual threads, the third
// of threads; of another all spatial loops from the outside become one, threads alone where they
// are at most a warp, else cut by a warp; loops that are bound already stay so. What has no spatial
// loop stays one thread's. Where
// threads share a sum of a stage, or of one computed at its loops, these become blocks alone. The
// threads of a block fetch a shared copy together: its loops, but for a vector, become one, which
// is cut by the threads of what reads it.
Result<ScheduleState> BindThreads(ScheduleState state);

// On threadIdx.x, of a reduction or not.
bool HasLoopOfThreads(const Stage& stage);

// A copy in shared memory that is computed within the tiles of its reader.
bool IsSharedCopy(const ScheduleState& state, int stage);
// Steps that give such a copy vectors of so many elements: all its loops become one, which is cut.
Trace CopyInVectors(const ScheduleState& state, int copy, int64_t elements);

// Warps of a block, at most: as many as cards run.
inline constexpr int64_t kMostWarps = 32;
// Threads that a block may have where a loop of `extent` iterations is cut: a warp, and twice as
// many again and again, within the loop, the device and so many warps. Empty where a warp is
// enough.
std::vector<int64_t> BlockSizes(const Target& target, int64_t extent, int64_t most_warps);
// Iterations that BindThreads would cut into blocks, of a stage at the root that is neither tiled
// nor bound; 0 for other stages.
int64_t IterationsOfBlocks(const ScheduleState& state, int stage);
// Steps that bind such a stage, with so many threads to a block.
Trace InBlocks(const ScheduleState& state, int stage, int64_t threads);

// A stage that InBlocks or BindThreads has bound so.
struct RootBlocks {
  int stage = 0;
  int64_t extent = 1;  // of the loop that is cut
  int64_t threads = 1;
};
std::vector<RootBlocks> BlocksOf(const ScheduleState& state);

// The trace without the steps at its end that BindThreads added, or could have: those of InBlocks,
// too.
Trace WithoutBindings(const ScheduleState& state);

// Whether a device launches it: threads, shared bytes and virtual threads of a block, and bytes of
// a copy's vector, at most as the target has them, and a warp's threads at least where there is
// work for two. kIllegal with what was found.
Result<void> CheckLaunch(const ScheduleState& state);

}  // namespace schedulegym
