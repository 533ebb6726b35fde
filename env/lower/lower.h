// Lower: what a schedule state means, as explicit loops.
#pragma once

#include "env/base/result.h"
#include "env/lower/loop_program.h"
#include "env/schedule/state.h"

namespace schedulegym {

// kInvalidSchedule for states whose meaning would be too large a program.
Result<LoopProgram> Lower(const ScheduleState& state);

}  // namespace schedulegym
