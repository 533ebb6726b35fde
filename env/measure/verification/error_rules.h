// Error rules: an expression in double precision, with a bound of its rounding error.
#pragma once

#include <functional>

#include "env/measure/verification/value_range.h"
#include "env/program/expressions/expr.h"

namespace schedulegym {

// A value in double precision, with how far the computed one may lie from it.
struct BoundedExpr {
  Expr value;
  // Integers, conditions and exact values have no error: null.
  Expr error;
  ValueRange range;
  // Where this is false there is no bound: the computed value may have overflowed, or left a
  // function's domain, by rounding alone. Null: always true.
  Expr fine;
};

// f64 for floating types, else the type itself.
DType WideType(DType type);

// Of doubles. Null stands for an error of 0.
Expr Wide(double value);
Expr Magnitude(const Expr& value);
Expr Difference(const Expr& a, const Expr& b);
// A condition.
Expr IsNan(const Expr& value);
Expr AddErrors(const Expr& a, const Expr& b);
// factor * |value|.
Expr ScaledMagnitude(double factor, const Expr& value);

// Conditions of which null always holds; the second is evaluated only where the first does not
// decide.
Expr Both(const Expr& a, const Expr& b);

// The rounding error of an operation: the propagated errors of its arguments, and its own. With
// `fused`, a multiplication does not round.
Expr ErrorOfOperation(const ExprNode& node, std::span<const BoundedExpr> args, const Expr& value,
                      bool fused);
// Where inexact arguments surely lie within the operation's domain; null if they always do.
Expr DomainOfOperation(const ExprNode& node, std::span<const BoundedExpr> args);

// The replacement of a read.
using BoundedRead = std::function<BoundedExpr(const ExprNode& read)>;

// May answer reads of tensors that hold a part of a body, which is evaluated wherever the body is:
// a part stands in what follows from it several times.
using BoundedKeep = std::function<BoundedExpr(BoundedExpr part)>;

// Of a whole body. With `fused`, an outermost multiplication does not round: the sum that takes it
// accounts for that.
BoundedExpr PropagateError(const ExprNode& node, const BoundedRead& read, const BoundedKeep& keep,
                           bool fused);

}  // namespace schedulegym
