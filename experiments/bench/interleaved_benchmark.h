// Contest: the kernels of one computation timed interleaved, the machine's peak among them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "env/base/rng.h"
#include "env/measure/timing/paired_timer.h"
#include "env/program/expressions/dtype.h"
#include "experiments/bench/interleaved_result.h"

namespace schedulegym {

struct InterleavedKernel {
  std::string name;
  std::string detail;
  std::function<void()> call;
  bool is_plain = true;  // operands lie as the workload writes them
};

struct InterleavedOptions {
  int rounds = 51;
  double sample_seconds = 0.001;
  // How often all is timed when someone did not get the cores it was to have.
  int attempts = 4;
  // CPU time over wall time that counts as having had them, for each core.
  double least_share = 0.9;
  int most_bits = 512;  // of the vectors that the peak is measured with
};

// `cores` is what each contender uses by itself. Only floating types of the machine's own
// arithmetic have a peak. Not empty.
InterleavedResult RunInterleaved(const std::vector<InterleavedKernel>& contenders, DType type,
                                 int cores, const InterleavedOptions& options,
                                 const PairedClocks& clocks, Rng& rng);

}  // namespace schedulegym
