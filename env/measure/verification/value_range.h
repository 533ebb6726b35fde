// ValueRange: what magnitudes a value can have, as far as the operations that make it tell.
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

// Of an element that InputPattern's reals fill.
ValueRange RangeOfInput(DType type);
// Of integers, indices and conditions: all that the type holds.
ValueRange RangeOfType(DType type);
ValueRange RangeOfNumber(DType type, double number);
// Of an operation on values of these ranges, floating.
ValueRange RangeOfOperation(const ExprNode& node, std::span<const ValueRange> args);
// Of so many terms.
ValueRange RangeOfReduction(Combiner combiner, DType type, double terms, const ValueRange& term);

// The largest number of a floating type, and the least with its whole precision.
double LargestOf(DType type);
double LeastNormalOf(DType type);

}  // namespace schedulegym
