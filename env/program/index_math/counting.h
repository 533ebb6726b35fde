// CountPoints: the number of points of a box at which a condition holds.
#pragma once

#include <cstdint>
#include <vector>

#include "env/program/expressions/expr.h"

namespace schedulegym {

// Whether the condition is index arithmetic alone, without reads.
bool IsCountable(const Expr& condition);

// Variable i is 0 .. extents[i] - 1. The condition must be countable. Parts of a conjunction
// without a common variable are counted separately; boxes in which the ranges decide are not
// enumerated. Exact up to a limit of work; the rest is estimated from random points.
double CountPoints(const Expr& condition, const std::vector<int64_t>& extents);

}  // namespace schedulegym
