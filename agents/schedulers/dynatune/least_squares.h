// LeastSquares: parameters within bounds that make residuals small.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace schedulegym {

struct ParameterBounds {
  double low, high;
};

// Fills in the residuals at the parameters.
using ResidualFunction =
    std::function<void(std::span<const double> parameters, std::span<double> residuals)>;

struct LeastSquaresOptions {
  int most_iterations = 200;
  double tolerance = 1e-9;  // a step that gains a smaller share of the error is the last
};

struct LeastSquaresFit {
  std::vector<double> parameters;
  double squared_error = 0;
  bool converged = false;  // else the best met on the way
};

// Levenberg's and Marquardt's method (SIAM 11, 1963) with derivatives by differences; a parameter
// that would leave its bounds stays there. A local minimum, for a handful of parameters. (Eigen's,
// a port of MINPACK's, knows no bounds and would be a package for this one function.) `start`
// within the bounds.
LeastSquaresFit FitLeastSquares(const ResidualFunction& residuals, size_t count,
                                std::span<const ParameterBounds> bounds, std::vector<double> start,
                                const LeastSquaresOptions& options = {});

}  // namespace schedulegym
