// SplitLoop: what split and the primitives that follow a split have in common.
#pragma once

#include <cstdint>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/primitives/split.h"
#include "env/schedule/state.h"

namespace schedulegym {

Result<void> CheckSplitLoop(const ScheduleState& state, StageRef stage, int loop,
                            const std::vector<int64_t>& lengths);
// With `outer_given` the lengths are those of the outer loops.
void SplitLoop(StateEditor& editor, int stage, int loop, const std::vector<int64_t>& lengths,
               bool outer_given);

// The split at a position of the trace; an error when another primitive stands there.
Result<const Split*> SourceSplit(const ScheduleState& state, int position);

}  // namespace schedulegym
