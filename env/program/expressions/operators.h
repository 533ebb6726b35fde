// Operators: what the operators of expressions mean on numbers.
#pragma once

#include <cstdint>

#include "env/program/expressions/expr.h"

namespace schedulegym {

// A function of one real number, in double precision; SG_CHECK for other operators.
double FloatUnary(Op op, double x);

// The nearest value of an integer type, cut off towards 0; 0 for what is no number.
int64_t SaturateToType(DType type, double value);

// Of the six comparisons, the one that holds exactly where `op` does not.
Op Inverted(Op op);

// Whether a comparison holds. A number that is none differs from all and stands in no order.
template <typename T>
bool Compares(Op op, T a, T b) {
  switch (op) {
    case Op::kLess: return a < b;
    case Op::kLessEqual: return a <= b;
    case Op::kGreater: return a > b;
    case Op::kGreaterEqual: return a >= b;
    case Op::kEqual: return a == b;
    default: return a != b;
  }
}

}  // namespace schedulegym
