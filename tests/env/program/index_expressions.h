// IndexExpressions: random index arithmetic and conditions, and their values by plain evaluation.
#pragma once

#include <cstdint>
#include <vector>

#include "env/base/rng.h"
#include "env/program/expressions/expr.h"

namespace schedulegym {

// The value of an expression of kIndex or kBool without reads, variable i being values[i].
int64_t Evaluate(const Expr& expr, const std::vector<int64_t>& values);

// Over variables 0 .. variables - 1; // and % have positive constant divisors.
Expr RandomIndex(Rng& rng, int variables, int depth);
Expr RandomCondition(Rng& rng, int variables, int depth);

// Calls `visit` with each point of the box of these extents, each coordinate from its low.
template <typename Visitor>
void ForEachPoint(const std::vector<int64_t>& lows, const std::vector<int64_t>& highs,
                  const Visitor& visit) {
  std::vector<int64_t> point = lows;
  while (true) {
    visit(point);
    size_t i = 0;
    for (; i < point.size(); ++i) {
      if (++point[i] <= highs[i]) break;
      point[i] = lows[i];
    }
    if (i == point.size()) return;
  }
}

}  // namespace schedulegym
