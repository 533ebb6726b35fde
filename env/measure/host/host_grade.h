// HostGrade: how well a machine tells equal kernels from different ones.
#pragma once

#include <cstdint>
#include <span>

namespace schedulegym {

// By the 95th percentile of |ln ratio| of a kernel timed against itself, which ought to be 0.
enum class HostGrade : uint8_t {
  kA,  // at most 0.5 %
  kB,  // at most 2 %
  kC,  // worse: results of this machine stand in no leaderboard
};

// Between the two nearest of the sorted values, linearly; not empty, share in [0, 1].
double Quantile(std::span<const double> values, double share);

// Of |ln ratio| of several such timings.
HostGrade GradeOf(std::span<const double> errors);

// "A", "B", "C".
const char* GradeName(HostGrade grade);

}  // namespace schedulegym
