// ValueRange: bounds on a value and its magnitude, derived from its operations.
#pragma once

#include <span>

#include "env/program/compute_dag.h"
#include "env/program/expressions/expr.h"

namespace schedulegym {

struct ValueRange {
  double low = 0;
  double high = 0;
  double least = 1;   // no magnitude but 0 is smaller
  bool wild = false;  // may be infinite or no number, or so in the type's precision, or unknown
};

// Range of an element of an input of InputPattern's reals.
ValueRange RangeOfInput(DType type);
// Range of integers, indices and conditions: all values of the type.
ValueRange RangeOfType(DType type);
ValueRange RangeOfNumber(DType type, double number);
// Range of a floating operation on values of the ranges `args`.
ValueRange RangeOfOperation(const ExprNode& node, std::span<const ValueRange> args);
// Range of a reduction of `terms` terms.
ValueRange RangeOfReduction(Combiner combiner, DType type, double terms, const ValueRange& term);

// The largest number of a floating type, and the least with its whole precision.
double LargestOf(DType type);
double LeastNormalOf(DType type);

}  // namespace schedulegym
