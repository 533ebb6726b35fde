// Error rules: a whole expression in double precision, with a bound on what rounding may do to it.
#pragma once

#include <functional>

#include "env/measure/verification/bounded_expr.h"
#include "env/program/expressions/expr.h"

namespace schedulegym {

// What a read becomes.
using BoundedRead = std::function<BoundedExpr(const ExprNode& read)>;

// May answer reads of tensors that hold a part of a body, which is evaluated wherever the body is:
// a part stands in what follows from it several times.
using BoundedKeep = std::function<BoundedExpr(BoundedExpr part)>;

// Of a whole body. With `fused`, an outermost multiplication does not round: the sum that takes it
// accounts for that.
BoundedExpr PropagateError(const ExprNode& node, const BoundedRead& read, const BoundedKeep& keep,
                           bool fused);

}  // namespace schedulegym
