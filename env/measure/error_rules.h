// Error rules: a whole expression in double precision, with a bound on what rounding may do to it.
#pragma once

#include <functional>

#include "env/measure/bounded_expr.h"
#include "env/program/expr.h"

namespace schedulegym {

// What a read becomes.
using BoundedRead = std::function<BoundedExpr(const ExprNode& read)>;

// Of a whole body. With `fused`, an outermost multiplication does not round: the sum that takes it
// accounts for that.
BoundedExpr PropagateError(const ExprNode& node, const BoundedRead& read, bool fused);

}  // namespace schedulegym
