// CodeSize: estimated size of a loop program's machine code, which determines compile time.
#pragma once

#include <cstdint>

#include "env/base/result.h"
#include "env/lower/loop_program.h"
#include "env/program/expressions/expr.h"
#include "env/program/targets/target.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Number of vector or scalar operations in the code after unrolling.
double CodeSize(const LoopProgram& program, const Target& target);

// Operations of a store of this value and type in a vector loop of extent `vector` (1: no loop).
double StoreOperations(const Expr& value, DType type, int64_t vector, const Target& target);

// Operations of a store of one value of the expression. A function counts as many.
double CodeOperations(const Expr& expr);

// kInvalidSchedule if the state cannot be lowered; kCompile if CodeSize exceeds `most`, with the
// number found where it is known.
Result<void> CheckCodeSize(const ScheduleState& state, double most);

// Estimates CodeSize from the loops alone, without lowering. Counts every tail that may occur.
double QuickCodeSize(const ScheduleState& state);

}  // namespace schedulegym
