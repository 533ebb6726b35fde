// GuardedTerm: a term of a sum, and the condition without which it is 0.
#pragma once

#include "env/program/expressions/expr.h"

namespace schedulegym {

struct GuardedTerm {
  Expr condition;  // null: always
  Expr value;
};

// Brings the selects among a term's factors to its outside, where lowering sees that the sum may
// leave out what is zero: a transposed convolution's bounds would take many times its own work.
GuardedTerm Guard(const Expr& term);

}  // namespace schedulegym
