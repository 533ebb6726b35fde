// Checks for implausible measurements, and RollingBaseline, for unusually slow references.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "env/measure/measurement.h"
#include "env/program/expressions/dtype.h"

namespace schedulegym {

// Counts the cells that are 0 or -0. `type` is f64, f32, i32 or i8.
int64_t CountZeros(DType type, const void* cells, int64_t count);

// Inputs that make more of an output zero than this (oneDNN's benchdnn calls such a test
// mistrusted) are supplemented by others. If half stay zero, as with a ReLU, the result is a
// warning, not a failure.
constexpr double kMostZeros = 0.3;

// Returns why a candidate must be verified again on new inputs: it is more than ten times as fast
// as the best so far (or the reference, if that is faster), or faster than the machine can be
// (`outcome` is kImpossibleTime). "" if there is no reason.
std::string OutlierReason(const Measurement& measurement, std::optional<double> best_ratio);

// Detects disturbed references. Other load on the same cores, caches and memory slows a reference
// down, but not by the same factor as its candidate: while a reference took six times its usual
// time, ratios were 1.66 that were 1.17 before and after. Such ratios are not comparable.
class RollingBaseline {
 public:
  // Adds a median of the reference's seconds; `now` is in seconds of any one clock.
  void Note(double seconds, double now);

  // Returns such a median over the usual one, the lower quartile of the last 200; 1 before there
  // are eight. After a minute of slow medians without a break, the slow ones become the usual
  // ones.
  double Slowdown(double seconds) const;

 private:
  std::deque<double> last_;
  std::deque<double> slow_;  // since the last one that was not
  double slow_since_ = 0;
};

}  // namespace schedulegym
