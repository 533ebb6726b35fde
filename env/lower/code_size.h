// CodeSize: how much code a loop program makes, which is what compiling it costs.
#pragma once

#include "env/lower/loop_program.h"
#include "env/program/expr.h"
#include "env/program/target.h"

namespace schedulegym {

// Operations on vectors or scalars that stand in the code once loops are unrolled.
double CodeSize(const LoopProgram& program, const Target& target);

// What storing one value of the expression adds; functions count as many.
double CodeOperations(const Expr& expr);

}  // namespace schedulegym
