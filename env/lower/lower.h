// Lower: translates a schedule state into explicit loops.
#pragma once

#include "env/base/result.h"
#include "env/lower/loop_program.h"
#include "env/schedule/state.h"

namespace schedulegym {

// kInvalidSchedule if the program would be too large.
Result<LoopProgram> Lower(const ScheduleState& state);

// The same, but returns kCompile once the stores exceed `most_code` operations (CodeSize), which
// is long before the lowering is complete.
Result<LoopProgram> LowerWithin(const ScheduleState& state, double most_code);

}  // namespace schedulegym
