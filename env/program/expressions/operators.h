// Operators: the operators of expressions, evaluated on numbers.
#pragma once

#include <cmath>
#include <cstdint>

#include "env/program/expressions/expr.h"

namespace schedulegym {

// A function of one real number, in double precision; SG_CHECK for other operators.
double FloatUnary(Op op, double x);

// The nearest value of an integer type, truncated towards 0; 0 for NaN.
int64_t SaturateToType(DType type, double value);

// The comparison that holds exactly where the comparison `op` does not.
Op Inverted(Op op);

// True if the comparison holds. NaN is unequal to every value and not ordered.
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

// minimumNumber or maximumNumber of IEEE 754-2019: the other number if one is NaN. For +0 and -0 it
// may return either.
inline double FloatExtreme(Op op, double a, double b) {
  if (std::isnan(b) || (op == Op::kMin ? a < b : a > b)) return a;
  return b;
}

// Each returns null if no rule applies. Floating constants fold only if the operation is correctly
// rounded and the result finite, so that no result changes; integers of tensors wrap.
Expr FoldUnary(Op op, const Expr& value);
Expr FoldBinary(Op op, const Expr& left, const Expr& right);
Expr FoldCast(DType type, const Expr& value);

// `value` rounded to nearest even as `type` stores it, for floating types.
double RoundToType(DType type, double value);
// `value` wrapped as `type` stores it, for i8 and i32; others are unchanged.
int64_t WrapToType(DType type, int64_t value);

}  // namespace schedulegym
