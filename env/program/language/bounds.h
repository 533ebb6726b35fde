// Bounds: the proof that every read of a definition stays within the tensor it reads.
#pragma once

#include <optional>
#include <vector>

#include "env/program/compute_dag.h"
#include "env/program/expressions/expr.h"
#include "env/program/index_math/prover.h"

namespace schedulegym {

struct UnprovenRead {
  Expr read;
  int dimension = 0;
  Range possible;  // of the index, by the ranges of the axes
};

// The first read of the body that may leave its tensor, conditions of enclosing selects
// considered. `shapes` holds the shape of each tensor by position, `extents` that of each variable.
std::optional<UnprovenRead> FindUnprovenRead(const Expr& body, const std::vector<int64_t>& extents,
                                             const std::vector<std::vector<int64_t>>& shapes);

}  // namespace schedulegym
