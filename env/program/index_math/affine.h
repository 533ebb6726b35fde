// Affine: a linear form over variables with integer coefficients, the normal form of indices.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "env/program/expressions/expr.h"
#include "env/program/expressions/integer_math.h"

namespace schedulegym {

// The range of each variable by its id.
using RangeOf = std::function<Range(int variable)>;

struct Affine {
  // Sorted by variable id, no zero coefficients.
  std::vector<std::pair<int, int64_t>> terms;
  int64_t constant = 0;

  bool operator==(const Affine&) const = default;
  bool IsConstant() const { return terms.empty(); }
  int64_t Coefficient(int variable) const;
  void Add(int variable, int64_t coefficient);
  Affine Plus(const Affine& other, int64_t factor = 1) const;
  Affine Times(int64_t factor) const;
  Range Bounds(const RangeOf& range_of) const;
  Expr ToExpr() const;
};

// The linear form of an index expression; nullopt if it contains //, %, min, max, reads or products
// of variables.
std::optional<Affine> ToAffine(const Expr& expr);

// Interval arithmetic on any index expression without reads.
Range BoundsOf(const Expr& expr, const RangeOf& range_of);

// Normalises index arithmetic and comparisons on it inside any expression. It collects linear
// forms, splits // and % by constants into the part that divides and a remainder of known range,
// and replaces comparisons, logic and selects that the ranges decide. The value is unchanged for
// all variables within their ranges.
Expr Simplify(const Expr& expr, const RangeOf& range_of);

}  // namespace schedulegym
