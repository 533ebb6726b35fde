// Linear: a sum of integer multiples of atoms (variables and terms that are not linear), each with
// a known range; the working form of Simplify.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "env/program/expressions/expr.h"
#include "env/program/index_math/affine.h"

namespace schedulegym {

struct Linear {
  struct Term {
    Expr atom;
    int64_t coefficient = 0;
    Range range;  // of the atom
  };

  // Variables by id, then the other atoms in order of arrival; no zero coefficients.
  std::vector<Term> terms;
  int64_t constant = 0;

  bool IsConstant() const { return terms.empty(); }
  void Add(const Expr& atom, int64_t coefficient, Range range);
  void Add(const Linear& other, int64_t factor);
  Range Bounds() const;
  // The greatest common divisor of `start` and all coefficients; `start` may be 0.
  int64_t Divisor(int64_t start) const;
  Expr ToExpr() const;
};

// The floored quotient and the remainder of `value` by a positive `divisor`:
// value = quotient * divisor + remainder, 0 <= remainder < divisor.
struct Division {
  Linear quotient;
  Linear remainder;
};
Division Divide(const Linear& value, int64_t divisor);

// Rewrites (x // c) * (c * k) + (x % c) * k to x * k until no such pair is left. `collect` gives
// the form of x.
void JoinDivisions(Linear* sum, const std::function<Linear(const Expr&)>& collect);

// left - right compared with zero: a constant where the ranges decide, else the tightest equal
// comparison with positive terms on each side.
Expr CompareWithZero(Op op, const Linear& difference);

}  // namespace schedulegym
