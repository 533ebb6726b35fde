// ErrorDag: a computation in double precision, with bounds on the error of any legal schedule of
// the original.
#pragma once

#include <optional>
#include <vector>

#include "env/base/result.h"
#include "env/program/compute_dag.h"
#include "env/program/expressions/expr.h"

namespace schedulegym {

struct ErrorDag {
  // The same inputs in the same order. Its outputs are the values of the original's outputs, in
  // order, then the bounds that exist. Floating definitions are f64; integers keep their types.
  ComputeDag dag;
  // For each output of the original, the position of its bound in dag.outputs(); nullopt if the
  // value is exact. A result is right if |result - value| <= bound + FinalRounding.
  std::vector<std::optional<int>> bounds;
};

// Half the distance between neighbours at 1: 2^-24 for f32. Floating types only.
double UnitRoundoff(DType type);

// Largest error of storing `value` in the type, underflow included; 0 for integers.
double FinalRounding(DType type, double value);

// Running error analysis, one rule an operation: each rounds once; a sum of K terms adds
// min(4 sqrt(K), K) u sum|terms| (Higham and Mary, 2019: the square root holds with overwhelming
// probability where terms differ, K always: it is taken where they may be equal); functions are
// within 4 ulp and carry their argument's error through. Inputs are as InputPattern's reals. A
// bound is infinite where rounding alone may lead out of a function's domain or beyond the type's
// largest number, and what follows from there is unknown. Integers have a bound where an inexact
// value decides them: a conversion may be off by a step.
Result<ErrorDag> MakeErrorDag(const ComputeDag& dag);

// A term of a sum, and the condition without which it is 0.
struct GuardedTerm {
  Expr condition;  // null: always
  Expr value;
};

// Brings the selects among a term's factors to its outside, where lowering sees that the sum may
// leave out what is zero: a transposed convolution's bounds would take many times its own work.
GuardedTerm Guard(const Expr& term);

}  // namespace schedulegym
