// CurvePosterior: how probable the parameters of a weighted sum of curves are, given points.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "agents/schedulers/dynatune/curve_error.h"
#include "agents/schedulers/dynatune/curve_family.h"
#include "agents/schedulers/dynatune/least_squares.h"

namespace schedulegym {

struct NormalPrior {
  double mean, deviation;
};
// For parameters in order, where anything but their bounds is known of them.
using CurvePrior = std::vector<std::optional<NormalPrior>>;

// Of a search: the best speed y after trial x >= 1, y / its largest.
struct CurvePoints {
  std::vector<double> x, y, weights;
};

// A position is the parameters of each curve in turn, the noise (a standard deviation), and, of
// several curves, a weight each, which count divided by their sum. All are uniform within their
// bounds, unless a prior says more; y is normal about the sum of the curves. So Domhan et al.
// (IJCAI 2015); the noise is at most 1 as in the code they and DynaTune released, and no less than
// what measurements can tell apart.
class CurvePosterior {
 public:
  // `prior`: of the first curve's parameters; may be shorter.
  CurvePosterior(std::vector<CurveFamily> families, const CurvePoints& points, CurvePrior prior);

  size_t dimensions() const { return bounds_.size(); }
  const std::vector<CurveFamily>& families() const { return families_; }
  // Of each dimension. A curve of two asymptotes is less free still (IsPossible).
  std::span<const ParameterBounds> bounds() const { return bounds_; }

  // Up to a constant, of each position in turn; minus infinity outside of the bounds.
  void LogDensities(std::span<const double> positions, std::span<double> log_densities);

  double ValueAt(std::span<const double> position, double x) const;

 private:
  double LogDensity(std::span<const double> position);
  double LogPrior(std::span<const double> position) const;

  std::vector<CurveFamily> families_;
  CurvePrior prior_;
  std::vector<ParameterBounds> bounds_;
  CurveError error_;
  double count_;  // of points, by weight
  size_t noise_;  // its place in a position
};

// Within the bounds, the nearest noise and the weight of a curve before anything is known.
inline constexpr double kLeastNoise = 1e-3, kMostNoise = 1;
inline constexpr double kFirstCurveWeight = 10, kMostCurveWeight = 100;

}  // namespace schedulegym
