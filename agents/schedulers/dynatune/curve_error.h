// CurveError: how far a weighted sum of curves is from the points, fast enough for a sampler.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "agents/schedulers/dynatune/curve_family.h"

namespace schedulegym {

// One summand.
struct WeightedCurve {
  CurveFamily family = CurveFamily::kLogPower;
  double weight = 1;
  std::span<const double> parameters;  // possible ones
};

inline constexpr size_t kMostCurves = 10;

// In single precision, many points at once, by the widest instructions of the machine; all widths
// give the same bits, because each operation is rounded by itself and the order of sums is fixed.
class CurveError {
 public:
  // Points (x, y), x >= 1, each counted `weights` times. `most_bits`: of a vector.
  CurveError(std::span<const double> x, std::span<const double> y, std::span<const double> weights,
             int most_bits = 512);

  // The weighted sum of squared residuals, finite for possible curves.
  // Takes no memory from the heap.
  double Of(std::span<const WeightedCurve> curves);

 private:
  int most_bits_;
  // Padded to whole blocks with points of weight 0.
  std::vector<float> x_, log_x_, y_, weights_, residuals_;
};

}  // namespace schedulegym
