// Inequalities: a system of linear constraints over bounded integers that can be shown to have no
// solution.
#pragma once

#include <vector>

#include "env/program/index_math/affine.h"

namespace schedulegym {

// Variables are positions in `ranges`. An unknown bound is -kUnbounded or kUnbounded.
struct Inequalities {
  std::vector<Range> ranges;
  std::vector<Affine> at_most_zero;  // each form <= 0
  std::vector<Affine> zero;          // each form == 0
};

// True only if no integers satisfy the system: by substitution of equalities, propagation of
// bounds with rounding, and Fourier-Motzkin elimination (Schrijver, Theory of Linear and Integer
// Programming, 12.2) with tightened constants. Work is bounded; false means "not shown".
bool HasNoSolution(Inequalities system);

}  // namespace schedulegym
