// Error rules: for each operation, the value in double precision and a bound on what rounding may
// do to it.
#pragma once

#include <functional>

#include "env/base/result.h"
#include "env/program/expr.h"

namespace schedulegym {

// Integers, conditions and exact values have no error: null.
struct BoundedExpr {
  Expr value;
  Expr error;
};

// What a read becomes.
using BoundedRead = std::function<BoundedExpr(const ExprNode& read)>;

// Of a whole body. With `fused`, an outermost multiplication does not round: the sum that takes it
// accounts for that.
Result<BoundedExpr> PropagateError(const ExprNode& node, const BoundedRead& read, bool fused);

// f64 for floating types, else the type itself.
DType WideType(DType type);

// a + b where null means 0.
Expr AddErrors(const Expr& a, const Expr& b);
// factor * |value| in f64.
Expr ScaledMagnitude(double factor, const Expr& value);

}  // namespace schedulegym
