// GpuRegisters: estimated registers of a kernel's thread, from the schedule.
#pragma once

#include <cstdint>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

struct RegisterEstimate {
  int stage = 0;             // at the root: its kernel
  int64_t accumulators = 0;  // of 32 bits: cells of a thread over all its virtual threads
  double registers = 0;
  int64_t most = 0;  // limit for a thread in a block of this size
};

// Returns the estimate of each kernel.
std::vector<RegisterEstimate> EstimateRegisters(const ScheduleState& state);

// kIllegal if a kernel for an NVIDIA GPU needs more registers than its threads have: ptxas would
// spill values to local memory.
Result<void> CheckRegisters(const ScheduleState& state);

}  // namespace schedulegym
