// Levenberg-Marquardt (Marquardt, SIAM Journal on Applied Mathematics 11(2), 1963) within bounds:
//   (J'J + damping * diag(J'J)) step = -J'r
// by Cholesky. J is taken by forward differences of 1e-7, away from a bound. A parameter at a bound
// whose gradient leads out is held; other steps are cut to the bounds. Damping starts at 1e-3,
// grows by 10 after a failure, shrinks by 10 after a gain, within 1e-12 and 1e12. Ends when a step
// gains less than the tolerance, or nothing.
// Cost: parameters + tries evaluations an iteration, O(parameters^2 * points).
#include "agents/schedulers/dynatune/least_squares.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "env/base/check.h"

namespace schedulegym {
namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

double Dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Solves A x = b by Cholesky's decomposition, which replaces A; nullopt unless A is positive
// definite.
std::optional<Vector> Solve(Matrix& a, Vector b) {
  const size_t n = b.size();
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (size_t k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      if (j < i) {
        a[i][j] = sum / a[j][j];
      } else if (sum > 0) {
        a[i][i] = std::sqrt(sum);
      } else {
        return std::nullopt;
      }
    }
    for (size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

class Descent {
 public:
  Descent(const ResidualFunction& residuals, size_t count, std::span<const ParameterBounds> bounds,
          Vector start)
      : function_(residuals),
        bounds_(bounds),
        at_(std::move(start)),
        residuals_(count),
        columns_(at_.size(), Vector(count)) {
    error_ = ErrorAt(at_, residuals_);
  }

  const Vector& at() const { return at_; }
  double error() const { return error_; }

  // Returns the share of the error that the step gained; nullopt if no step gains anything.
  std::optional<double> Step() {
    Differentiate();
    Vector moved_residuals(residuals_.size());
    for (; damping_ < kMostDamping; damping_ *= kChange) {
      const std::optional<Vector> moved = Moved();
      if (!moved) continue;
      const double error = ErrorAt(*moved, moved_residuals);
      if (!(error < error_)) continue;
      const double gain = (error_ - error) / error_;
      at_ = *moved;
      residuals_ = moved_residuals;
      error_ = error;
      damping_ = std::max(damping_ / kChange, kLeastDamping);
      return gain;
    }
    return std::nullopt;
  }

 private:
  // Marquardt's factor, and a range of damping whose smallest steps are below the precision of
  // doubles.
  static constexpr double kChange = 10, kLeastDamping = 1e-12, kMostDamping = 1e12;

  double ErrorAt(const Vector& parameters, Vector& residuals) const {
    function_(parameters, residuals);
    return Dot(residuals, residuals);
  }

  // Differences go away from the nearer bound, so that they stay inside.
  void Differentiate() {
    constexpr double kStep = 1e-7, kLeast = 1e-3;
    for (size_t i = 0; i < at_.size(); ++i) {
      Vector beside = at_;
      const double step = kStep * std::max(std::abs(at_[i]), kLeast);
      beside[i] += at_[i] + step <= bounds_[i].high ? step : -step;
      function_(beside, columns_[i]);
      const double moved = beside[i] - at_[i];
      for (size_t row = 0; row < residuals_.size(); ++row) {
        columns_[i][row] = (columns_[i][row] - residuals_[row]) / moved;
      }
    }
  }

  // Returns whether a step down leads out of the bounds.
  bool IsHeld(size_t i, double slope) const {
    return (at_[i] <= bounds_[i].low && slope > 0) || (at_[i] >= bounds_[i].high && slope < 0);
  }

  // Returns the end of the damped step, kept within the bounds.
  std::optional<Vector> Moved() const {
    const size_t n = at_.size();
    Matrix normal(n, Vector(n));
    Vector descent(n);
    std::vector<bool> held(n);
    for (size_t i = 0; i < n; ++i) {
      const double slope = Dot(columns_[i], residuals_);
      held[i] = IsHeld(i, slope);
      descent[i] = held[i] ? 0 : -slope;
    }
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) {
        normal[i][j] = held[i] || held[j] ? 0 : Dot(columns_[i], columns_[j]);
      }
      const double diagonal = normal[i][i];
      normal[i][i] = diagonal > 0 ? diagonal * (1 + damping_) : 1;
    }
    std::optional<Vector> moved = Solve(normal, descent);
    if (!moved) return std::nullopt;
    for (size_t i = 0; i < n; ++i) {
      (*moved)[i] = std::clamp(at_[i] + (*moved)[i], bounds_[i].low, bounds_[i].high);
    }
    return moved;
  }

  const ResidualFunction& function_;
  std::span<const ParameterBounds> bounds_;
  Vector at_;
  Vector residuals_;
  Matrix columns_;  // derivatives of the residuals by each parameter
  double error_;
  double damping_ = 1e-3;
};

}  // namespace

LeastSquaresFit FitLeastSquares(const ResidualFunction& residuals, size_t count,
                                std::span<const ParameterBounds> bounds, std::vector<double> start,
                                const LeastSquaresOptions& options) {
  SG_CHECK(bounds.size() == start.size(), "bounds for each parameter");
  Descent descent(residuals, count, bounds, std::move(start));
  bool converged = descent.error() == 0;
  for (int i = 0; i < options.most_iterations && !converged; ++i) {
    if (!std::isfinite(descent.error())) break;
    const std::optional<double> gain = descent.Step();
    converged = !gain || *gain < options.tolerance;
  }
  return {descent.at(), descent.error(), converged};
}

}  // namespace schedulegym
