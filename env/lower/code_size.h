// CodeSize: how much code a loop program makes, which is what compiling it costs.
#pragma once

#include <cstdint>

#include "env/lower/loop_program.h"
#include "env/program/expressions/expr.h"
#include "env/program/targets/target.h"

namespace schedulegym {

// Operations on vectors or scalars that stand in the code once loops are unrolled.
double CodeSize(const LoopProgram& program, const Target& target);

// What storing a value of this type adds, in a vector loop of such an extent (1: in none).
double StoreOperations(const Expr& value, DType type, int64_t vector, const Target& target);

// What storing one value of the expression adds; functions count as many.
double CodeOperations(const Expr& expr);

}  // namespace schedulegym
