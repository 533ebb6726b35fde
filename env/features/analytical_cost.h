// AnalyticalCost: how long a state should take, from arithmetic and cache traffic; needs no data.
#pragma once

#include <vector>

#include "env/features/loop_nests.h"
#include "env/schedule/state.h"

namespace schedulegym {

// What a target's facts leave open; cycles and bandwidths of an ordinary server core.
struct AnalyticalCostOptions {
  double hertz = 3e9;
  double vectors_per_cycle = 2;  // operations on vectors that a core begins; one multiply-add each
  double loads_per_cycle = 2;
  double stores_per_cycle = 1;
  double latency_cycles = 4;          // of an operation whose result the next one needs
  double divide_cycles = 5;           // of one vector
  double function_cycles = 20;        // of one vector of a function such as exp
  double loop_cycles = 1.5;           // of an iteration of a loop that stays one
  double spill_cycles = 2;            // of a vector that has no register, each time it is needed
  double l2_bytes_per_second = 80e9;  // into the level before, of one core
  double l3_bytes_per_second = 25e9;
  double memory_bytes_per_second = 15e9;  // of all cores together
  double parallel_seconds = 5e-6;         // of starting and ending a parallel loop once
  // How EstimateSeconds makes one number of the terms: 1 is the roofline of each stage, 2 a sum
  // with coefficients that were fitted to measurements (cost_terms.h).
  int version = 1;
};

// Of one stage's statement, over the whole run.
struct StageCost {
  int stage = 0;
  double compute_seconds = 0;
  double l2_seconds = 0;  // of what the caches before it miss
  double l3_seconds = 0;
  double memory_seconds = 0;
  double parallel_seconds = 0;
  // What the arithmetic is made of: straight code in so many blocks, in cycles of one of them.
  double blocks = 1;
  double block_vectors = 1;  // instructions that do an operation once
  double arithmetic_cycles = 0;
  double access_cycles = 0;  // loads and stores
  double chain_cycles = 0;   // of results that wait for the one before
  double spill_cycles = 0;
  double results = 0;          // places stored, in instructions
  bool keeps_results = false;  // in registers from block to block
  double busy_cores = 1;       // in the mean

  // Arithmetic and traffic overlap; starting threads does not.
  double Seconds() const;
};

struct AnalyticalCost {
  std::vector<StageCost> stages;  // in the order of AnsorFeatures' rows, without prepared weights

  double Seconds() const;
};

// Roofline of each statement on the state's target, a CPU. Arithmetic: a block of unrolled and
// vector loops, with registers for its results if a reduction runs around it. Traffic: an element
// is missed anew unless all that its loop's iteration touches fits the cache; what lies at few
// places of pages, such as a column of a matrix with rows of 4 KiB, finds little of the cache.
AnalyticalCost EstimateCost(const ScheduleState& state, const AnalyticalCostOptions& options = {});
// The same of nests that were found already.
AnalyticalCost EstimateCost(const Target& target, const LoopNests& nests,
                            const AnalyticalCostOptions& options = {});

}  // namespace schedulegym
