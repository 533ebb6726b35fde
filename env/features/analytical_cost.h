// AnalyticalCost: estimated seconds of a state from arithmetic and cache traffic; needs no data.
#pragma once

#include <vector>

#include "env/features/loop_nests.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Constants that a target does not specify: cycles and bandwidths of an ordinary server core.
struct AnalyticalCostOptions {
  double hertz = 3e9;
  double vectors_per_cycle = 2;  // vector operations that a core issues; a multiply-add is one
  double loads_per_cycle = 2;
  double stores_per_cycle = 1;
  double latency_cycles = 4;          // of an operation on which the next one depends
  double divide_cycles = 5;           // of one vector
  double function_cycles = 20;        // of one vector of a function such as exp
  double loop_cycles = 1.5;           // of an iteration of a loop that is not unrolled
  double spill_cycles = 2;            // of each use of a vector without a register
  double l2_bytes_per_second = 80e9;  // into the level before, of one core
  double l3_bytes_per_second = 25e9;
  double memory_bytes_per_second = 15e9;  // of all cores together
  double parallel_seconds = 5e-6;         // of starting and ending a parallel loop once
  // How EstimateSeconds combines the terms: 1 is the roofline of each stage, 2 is a sum with
  // coefficients fitted to measurements (cost_terms.h).
  int version = 1;
};

// Cost of one stage's statement, over the whole run.
struct StageCost {
  int stage = 0;
  double compute_seconds = 0;
  double l2_seconds = 0;  // of the misses of the caches before it
  double l3_seconds = 0;
  double memory_seconds = 0;
  double parallel_seconds = 0;
  // Parts of compute_seconds: the number of blocks of straight code, and cycles of one block.
  double blocks = 1;
  double block_vectors = 1;  // vector instructions for one operation of the block
  double arithmetic_cycles = 0;
  double access_cycles = 0;  // loads and stores
  double chain_cycles = 0;   // latency of results that depend on the one before
  double spill_cycles = 0;
  double results = 0;          // stored elements, in instructions
  bool keeps_results = false;  // results stay in registers from block to block
  double busy_cores = 1;       // mean over the run

  // Arithmetic and traffic overlap; starting threads does not.
  double Seconds() const;
};

struct AnalyticalCost {
  std::vector<StageCost> stages;  // in the order of AnsorFeatures' rows, without prepared weights

  double Seconds() const;
};

// Estimates the roofline of each statement on the state's target, a CPU. Arithmetic: a block of
// unrolled and vector loops, with registers for its results if a reduction runs around it. Traffic:
// an access misses again unless the footprint of its loop's iteration fits the cache. Data at few
// page offsets, such as a column of a matrix with rows of 4 KiB, can use only part of the cache.
AnalyticalCost EstimateCost(const ScheduleState& state, const AnalyticalCostOptions& options = {});
// The same for nests that were computed before.
AnalyticalCost EstimateCost(const Target& target, const LoopNests& nests,
                            const AnalyticalCostOptions& options = {});

}  // namespace schedulegym
