// CodeLimit: which schedules make too much code to be worth compiling.
#pragma once

#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

// kInvalidSchedule for what cannot be lowered; kCompile, with the number found where it is known,
// for what makes more than `most` operations (code_size.h).
Result<void> CheckCodeSize(const ScheduleState& state, double most);

// About that many, from the loops alone, without lowering: tails count as often as they may occur.
double QuickCodeSize(const ScheduleState& state);

}  // namespace schedulegym
