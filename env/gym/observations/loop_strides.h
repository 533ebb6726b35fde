// LoopStrides: how far each loop of a stage steps in the buffers that the stage touches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "env/schedule/loop_structure.h"
#include "env/schedule/state.h"

namespace schedulegym {

// One buffer that a stage touches: for each of its loops, from the outside, how many elements
// further the next iteration touches it; none where an index is not linear. Of a fused loop, as the
// innermost of its parts that takes more than one step.
struct AccessStrides {
  int stage = 0;  // whose buffer it is
  std::vector<std::optional<int64_t>> by_loop;
};

// The store first, then each read in order of appearance. Buffers computed at a loop hold the
// region that is needed there: that loop and those around it access the same elements again.
std::vector<AccessStrides> LoopStrides(const ScheduleState& state, const LoopStructure& structure,
                                       const StructureStage& stage);

}  // namespace schedulegym
