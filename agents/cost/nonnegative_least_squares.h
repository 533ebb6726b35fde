// Non-negative least squares: the x >= 0 that minimises |A x - b|.
#pragma once

#include <span>
#include <vector>

namespace schedulegym {

// `matrix` has the rows of A one after the other, each as long as x; as many rows as `targets`.
// Columns of zeros have 0 in x.
std::vector<double> NonnegativeLeastSquares(std::span<const double> matrix,
                                            std::span<const double> targets, int columns);

}  // namespace schedulegym
