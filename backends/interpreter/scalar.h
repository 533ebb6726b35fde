// Scalar: one number of any element type, and the operators of expressions on it.
#pragma once

#include <cstdint>

#include "env/program/expressions/expr.h"

namespace schedulegym {

// `number` of floating types, else `integer`.
union Scalar {
  int64_t integer;
  double number;
};

inline Scalar IntegerScalar(int64_t value) { return {.integer = value}; }
inline Scalar NumberScalar(double value) { return {.number = value}; }

// Floats are rounded to their type after every operation, integers wrap. Where a divisor is an
// integer 0, / // and % give 0. A conversion of a float that an integer type cannot hold gives the
// nearest value of that type, and 0 for NaN. min and max choose the first argument where the
// comparison with the second holds.
Scalar UnaryScalar(Op op, DType type, Scalar value);
// Both of `type`; comparisons give 0 or 1.
Scalar BinaryScalar(Op op, DType type, Scalar a, Scalar b);
Scalar CastScalar(DType from, DType to, Scalar value);

Scalar LoadScalar(DType type, const void* place);
void StoreScalar(DType type, Scalar value, void* place);

}  // namespace schedulegym
