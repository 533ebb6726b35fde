// PrunerCost: estimated seconds of a state on a GPU by Pruner's draft formula; needs no data.
#pragma once

#include <cstdint>
#include <vector>

#include "env/features/loop_nests.h"
#include "env/schedule/state.h"

namespace schedulegym {

// The formula's inputs for one statement. Numbers of a thread cover all iterations of the loops
// that it runs, virtual threads included.
struct PrunerWork {
  int stage = 0;
  double thread_operations = 0;  // of a thread, on values
  double registers = 0;          // of a thread: elements of each buffer that one step holds
  double thread_accesses = 0;    // of a thread: elements of each buffer over all steps
  double global_bytes = 0;       // of all blocks, to and from device memory
  double blocks = 1;
  double threads = 1;  // of a block

  double Operations() const { return thread_operations * blocks * threads; }
};

// Factors of the formula. 1 means no loss.
struct PrunerPenalties {
  double warp = 1;       // share of the lanes of a block's warps that have a thread
  double reuse = 1;      // at least 1: accesses relative to operations
  double occupancy = 1;  // share of the multiprocessors' time with a block to run
  double registers = 1;  // at least 1: relative to the 128 registers of a thread
};
PrunerPenalties PenaltiesOf(const PrunerWork& work, const GpuFacts& gpu);

// The penalty, or the side of the maximum, that an ablation omits.
enum class PrunerPart { kNone, kWarp, kReuse, kOccupancy, kRegisters, kCompute, kTraffic };

// max(operations / (peak * penalties), bytes / bandwidth). Bandwidth must be known.
double PrunerSeconds(const PrunerWork& work, const GpuFacts& gpu,
                     PrunerPart without = PrunerPart::kNone);

// Peak FLOP/s of all multiprocessors; a fused multiply-add counts as two.
double PeakFlops(const GpuFacts& gpu);

// Returns the work of each stage that runs, in the order of the nests. Requires target.IsGpu().
std::vector<PrunerWork> FindPrunerWork(const ScheduleState& state);
std::vector<PrunerWork> FindPrunerWork(const ScheduleState& state, const LoopNests& nests);

// The sum over all statements.
double EstimatePrunerSeconds(const ScheduleState& state, PrunerPart without = PrunerPart::kNone);

}  // namespace schedulegym
