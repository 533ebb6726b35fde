// Lower: what a schedule state means, as explicit loops.
#pragma once

#include "env/base/result.h"
#include "env/lower/loop_program.h"
#include "env/schedule/state.h"

namespace schedulegym {

// kInvalidSchedule for states whose meaning would be too large a program.
Result<LoopProgram> Lower(const ScheduleState& state);

// The same, and kCompile for what stores more than `most_code` operations (CodeSize) as
// soon as that is known, which is long before all of it is.
Result<LoopProgram> LowerWithin(const ScheduleState& state, double most_code);

}  // namespace schedulegym
