// BoundedExpr: a value in double precision, with how far the computed one may lie from it.
#pragma once

#include "env/measure/verification/value_range.h"
#include "env/program/expressions/expr.h"

namespace schedulegym {

struct BoundedExpr {
  Expr value;
  // Integers, conditions and exact values have no error: null.
  Expr error;
  ValueRange range;
  // Where this does not hold nothing can be said: the computed value may have overflowed, or left
  // a function's domain, by rounding alone. Null: it always holds.
  Expr fine;
};

// f64 for floating types, else the type itself.
DType WideType(DType type);

// Of doubles. Null stands for an error of 0.
Expr Wide(double value);
Expr Magnitude(const Expr& value);
Expr Difference(const Expr& a, const Expr& b);
Expr AddErrors(const Expr& a, const Expr& b);
// factor * |value|.
Expr ScaledMagnitude(double factor, const Expr& value);

// Conditions of which null always holds; the second is evaluated only where the first does not
// decide.
Expr Both(const Expr& a, const Expr& b);

// What rounding does to an operation: what its arguments' errors lead to, and its own. With
// `fused`, a multiplication does not round.
Expr ErrorOfOperation(const ExprNode& node, std::span<const BoundedExpr> args, const Expr& value,
                      bool fused);
// Where inexact arguments surely lie within the operation's domain; null if they always do.
Expr DomainOfOperation(const ExprNode& node, std::span<const BoundedExpr> args);

}  // namespace schedulegym
