// CodeSize: how much code a loop program makes, which is what compiling it costs.
#pragma once

#include <cstdint>

#include "env/base/result.h"
#include "env/lower/loop_program.h"
#include "env/program/expressions/expr.h"
#include "env/program/targets/target.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Operations on vectors or scalars that stand in the code once loops are unrolled.
double CodeSize(const LoopProgram& program, const Target& target);

// What storing a value of this type adds, in a vector loop of such an extent (1: in none).
double StoreOperations(const Expr& value, DType type, int64_t vector, const Target& target);

// What storing one value of the expression adds; functions count as many.
double CodeOperations(const Expr& expr);

// kInvalidSchedule for what cannot be lowered; kCompile, with the number found where it is known,
// for what makes more than `most` operations (code_size.h).
Result<void> CheckCodeSize(const ScheduleState& state, double most);

// About that many, from the loops alone, without lowering: tails count as often as they may occur.
double QuickCodeSize(const ScheduleState& state);

}  // namespace schedulegym
