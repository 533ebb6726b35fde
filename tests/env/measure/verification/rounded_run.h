// RoundedRun: a computation as a machine of a given precision would carry it out, summing in an
// order of its own.
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
  int sums = 24;       // the same for what accumulates
  int inputs = 53;     // to which inputs are rounded before they are used
  bool fused = false;  // the product that a sum takes does not round
};

// Every cell of every tensor, by position in the DAG; floating inputs as given, by position among
// the inputs. `rng` shuffles.
using Cells = std::vector<std::vector<double>>;
Cells RunRounded(const ComputeDag& dag, const Cells& inputs, const Precision& precision,
                 SumOrder order, Rng& rng);

}  // namespace schedulegym
