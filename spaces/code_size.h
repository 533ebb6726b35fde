// CodeSize: how much code a loop program makes, which is what compiling it costs.
#pragma once

#include "env/base/result.h"
#include "env/lower/loop_program.h"
#include "env/program/target.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Operations on vectors or scalars that stand in the code once loops are unrolled.
double CodeSize(const LoopProgram& program, const Target& target);

// kInvalidSchedule, with the number found where it is known, for what cannot be lowered or makes
// more than `most` operations.
Result<void> CheckCodeSize(const ScheduleState& state, double most);

// About the same from the loops alone, without lowering: tails count as often as they may occur.
double QuickCodeSize(const ScheduleState& state);

}  // namespace schedulegym
