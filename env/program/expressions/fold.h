// Fold: the local rules by which expressions of constants and neutral elements become simpler ones.
#pragma once

#include "env/program/expressions/expr.h"

namespace schedulegym {

// Each answers null where no rule applies. Floating constants fold only where the operation is
// correctly rounded and the result finite, so that no result changes; integers of tensors wrap.
Expr FoldUnary(Op op, const Expr& value);
Expr FoldBinary(Op op, const Expr& left, const Expr& right);
Expr FoldCast(DType type, const Expr& value);

// `value` rounded to nearest even as `type` stores it, for floating types.
double RoundToType(DType type, double value);
// `value` wrapped as `type` stores it, for i8 and i32; others are unchanged.
int64_t WrapToType(DType type, int64_t value);

}  // namespace schedulegym
