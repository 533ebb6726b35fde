// Protocol trials: how often the measuring protocol errs, on pairs whose truth is known.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "env/base/rng.h"
#include "env/measure/protocol.h"
#include "env/measure/timing/paired_timer.h"
#include "env/program/targets/target.h"

namespace schedulegym {

struct ProtocolTally {
  int64_t pairs = 0;
  int64_t called_different = 0;  // of equal kernels
  int64_t called_same = 0;
  int64_t ordered_right = 0;  // of kernels one of which does about 3 % more
  double error_p95 = 0;       // of |ln ratio| against the truth
  double seconds = 0;         // for all
};

// Products of matrices whose depths are 1024 and 1056 (3.1 % more work), about 0.2 ms a call on
// one core, compiled as candidates are, each twice.
class ProtocolTrials {
 public:
  // Throws MachineError where this build has no compiler.
  explicit ProtocolTrials(const Target& target);
  ~ProtocolTrials();

  // A kernel against its own copy.
  ProtocolTally EqualPairs(int64_t pairs, const Protocol& protocol, const PairedClocks& clocks,
                           Rng& rng);
  // The smaller one against the larger one, in both roles in turn. Right is a median on the right
  // side of 1.
  ProtocolTally PlantedPairs(int64_t pairs, const Protocol& protocol, const PairedClocks& clocks,
                             Rng& rng);

 private:
  struct Kernels;
  std::unique_ptr<Kernels> kernels_;
};

}  // namespace schedulegym
