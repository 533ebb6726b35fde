// Stage loops: what annotations ask of the loops of a stage.
#pragma once

#include <cstdint>
#include <vector>

#include "env/schedule/loop_structure.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Neither an input nor inlined.
bool HasLoops(const Stage& stage);

// Loops were split or fused since the stage began.
bool IsTiled(const Stage& stage);

bool IsReductionLoop(const Stage& stage, const StageLoop& loop);

// Of all loops of a stage, where it stands.
std::vector<int64_t> ExtentsOf(const ScheduleState& state, int stage);
std::vector<int64_t> ExtentsOf(const LoopStructure& structure, int stage);

// Stages that are computed at a loop, producers before consumers.
std::vector<int> AttachedAt(const ScheduleState& state, int target, int loop);

}  // namespace schedulegym
