// Checks of measurements against what is plausible, and RollingBaseline, against what is usual.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "env/measure/measurement.h"
#include "env/program/expressions/dtype.h"

namespace schedulegym {

// Of the cells, how many are 0 or -0; f64, f32, i32, i8.
int64_t CountZeros(DType type, const void* cells, int64_t count);

// Inputs that make more of an output zero than this (oneDNN's benchdnn calls such a test
// mistrusted) are joined by others. A ReLU's half may stay: then it is said, and is no failure.
constexpr double kMostZeros = 0.3;

// Why a candidate is to be verified again on inputs that nobody has seen before it is believed:
// more than ten times as fast as the best that is known (the reference, where that is faster), or
// than the machine can be (`outcome` is kImpossibleTime). "" where there is no reason.
std::string OutlierReason(const Measurement& measurement, std::optional<double> best_ratio);

// What somebody else does on the same cores, caches and memory slows a reference down, but not by
// the same factor as the candidate beside it: during an episode in which a reference took six times
// its usual time, ratios stood at 1.66 that were 1.17 before and after. So a ratio of such a time
// compares with no other.
class RollingBaseline {
 public:
  // One more median of the reference's seconds; `now` in seconds of any one clock.
  void Note(double seconds, double now);

  // By what factor such a median lies above the usual one: the lower quartile of the last 200. 1
  // before there are eight. A machine that has been slow for a minute without a break is another
  // machine: that is usual from then on.
  double Slowdown(double seconds) const;

 private:
  std::deque<double> last_;
  std::deque<double> slow_;  // since the last one that was not
  double slow_since_ = 0;
};

}  // namespace schedulegym
