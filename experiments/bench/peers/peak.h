// PeakLoop: multiply-adds on registers alone, the speed that no kernel can exceed.
#pragma once

#include <cstdint>
#include <string>

#include "env/base/clock.h"
#include "env/program/expressions/dtype.h"

namespace schedulegym {

// Uses the widest vectors that this machine offers, of `most_bits` at most, and as many independent
// accumulators as turned out fastest when it was made.
class PeakLoop {
 public:
  // kF32 or kF64. `cores` threads run at once.
  PeakLoop(DType type, int cores, const Clock& clock, int most_bits = 512);

  // One call, about a millisecond.
  void Run() const;
  // Of one call on all cores, two for each multiply-add and lane.
  double flops() const;
  // Such as "avx512, 12 accumulators".
  std::string detail() const;

 private:
  struct Variant;
  static const Variant kVariants[];

  double Time(const Clock& clock) const;

  const Variant* variant_;
  int cores_;
};

// GFLOP/s of the loop above, the best of `rounds` calls.
double MeasurePeakGflops(DType type, int cores, const Clock& clock, int rounds = 51);

}  // namespace schedulegym
