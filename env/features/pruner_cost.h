// PrunerCost: how long a state should take on a GPU, by Pruner's draft formula; needs no data.
#pragma once

#include <cstdint>
#include <vector>

#include "env/features/loop_nests.h"
#include "env/schedule/state.h"

namespace schedulegym {

// The formula's inputs for one statement. Per thread: all iterations of the loops that it runs,
// virtual threads included.
struct PrunerWork {
  int stage = 0;
  double thread_operations = 0;  // of a thread, on values
  double registers = 0;          // of a thread: places of each buffer that one step holds
  double thread_accesses = 0;    // of a thread: places of each buffer over all steps
  double global_bytes = 0;       // of all blocks, from and to the device's memory
  double blocks = 1;
  double threads = 1;  // of a block

  double Operations() const { return thread_operations * blocks * threads; }
};

// Its factors, each 1 where nothing is lost.
struct PrunerPenalties {
  double warp = 1;       // share of the lanes of a block's warps that have a thread
  double reuse = 1;      // at least 1: accesses beside operations
  double occupancy = 1;  // share of the multiprocessors' time that has blocks
  double registers = 1;  // at least 1: of 128 that a thread has
};
PrunerPenalties PenaltiesOf(const PrunerWork& work, const GpuFacts& gpu);

// One penalty, or one side of the maximum, that an ablation leaves out.
enum class PrunerPart { kNone, kWarp, kReuse, kOccupancy, kRegisters, kCompute, kTraffic };

// max(operations / (peak * penalties), bytes / bandwidth). Bandwidth must be known.
double PrunerSeconds(const PrunerWork& work, const GpuFacts& gpu,
                     PrunerPart without = PrunerPart::kNone);

// Operations on floats a second, a fused multiply-add as two: of all multiprocessors.
double PeakFlops(const GpuFacts& gpu);

// Of each stage that runs, in the order of the nests. The state is of a target with IsGpu().
std::vector<PrunerWork> FindPrunerWork(const ScheduleState& state);
std::vector<PrunerWork> FindPrunerWork(const ScheduleState& state, const LoopNests& nests);

// The sum over all statements.
double EstimatePrunerSeconds(const ScheduleState& state, PrunerPart without = PrunerPart::kNone);

}  // namespace schedulegym
