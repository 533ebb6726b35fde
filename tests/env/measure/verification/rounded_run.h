// RoundedRun: computes like a machine of a given precision, with its own order of sums.
#pragma once

#include <cstdint>
#include <vector>

#include "env/base/rng.h"
#include "env/program/compute_dag.h"

namespace schedulegym {

enum class SumOrder : uint8_t { kForward, kBackward, kPairwise, kLanes8, kLanes64, kShuffled };

struct Precision {
  // Bits of the significand to which each floating operation rounds; 53 does not round.
  int operations = 24;
  int sums = 24;       // the same for accumulators
  int inputs = 53;     // to which inputs are rounded before use
  bool fused = false;  // the product inside a sum is not rounded
};

// Returns every cell of every tensor, by position in the DAG. `inputs`: floating inputs by position
// among the inputs. `rng` is for kShuffled.
using Cells = std::vector<std::vector<double>>;
Cells RunRounded(const ComputeDag& dag, const Cells& inputs, const Precision& precision,
                 SumOrder order, Rng& rng);

}  // namespace schedulegym
