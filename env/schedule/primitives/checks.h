// Checks: preconditions that several primitives share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/primitives/split.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Largest number of loop nodes of one stage.
inline constexpr int kMostLoopNodes = 96;
// Longest loop that may be unrolled or vectorized.
inline constexpr int64_t kMostRepeats = 1024;

// The stage exists.
Result<void> CheckStage(const ScheduleState& state, StageRef stage);
// The stage exists, is computed (no input) and has loops (not inlined).
Result<void> CheckLoops(const ScheduleState& state, StageRef stage);
// As CheckLoops, and the stage has a loop at this position.
Result<void> CheckLoop(const ScheduleState& state, StageRef stage, int loop);
// As CheckLoop, and that loop has no annotation.
Result<void> CheckPlainLoop(const ScheduleState& state, StageRef stage, int loop);
// Nothing is computed at a loop of the stage.
Result<void> CheckNothingAttached(const ScheduleState& state, int stage);
// None of the stages that the operation reads is computed at a loop, so that a new stage at the
// root may read them, too.
Result<void> CheckProducersAtRoot(const ScheduleState& state, int stage);
// `readers` is not empty, without repeats, and each reads the stage itself.
Result<void> CheckReaders(const ScheduleState& state, StageRef stage,
                          const std::vector<StageRef>& readers);
// A stage may get a copy: it exists, is not inlined and is not computed at a loop.
Result<void> CheckCopyable(const ScheduleState& state, StageRef stage);

// Returns the operation with every read of `from` replaced by a read of `to`.
StageOpPtr RedirectReads(const StageOp& op, int from, int to);
// Returns the operation that copies `stage` element by element, reading it as stage `id`.
StageOp CopyOp(const StageOp& stage, int id);

// The common check of split and of the primitives that follow a split.
Result<void> CheckSplitLoop(const ScheduleState& state, StageRef stage, int loop,
                            const std::vector<int64_t>& lengths);
// If `outer_given`, the lengths are those of the outer loops.
void SplitLoop(StateEditor& editor, int stage, int loop, const std::vector<int64_t>& lengths,
               bool outer_given);

// Returns the split at a position of the trace; an error if another primitive is there.
Result<const Split*> SourceSplit(const ScheduleState& state, int position);

}  // namespace schedulegym
