// CountPoints: the number of points of a box at which a condition holds.
#pragma once

#include <cstdint>
#include <vector>

#include "env/program/expressions/expr.h"

namespace schedulegym {

// Whether the condition is index arithmetic alone, without reads.
bool IsCountable(const Expr& condition);

// Variable i is 0 .. extents[i] - 1. The condition must be countable. Parts of a conjunction that
// share no variable are counted apart; boxes in which the ranges decide are not enumerated. Exact
// up to bounded work; what is left then is estimated from points in it.
double CountPoints(const Expr& condition, const std::vector<int64_t>& extents);

}  // namespace schedulegym
