// GpuRegisters: how many registers a thread of a kernel takes, estimated from its schedule.
#pragma once

#include <cstdint>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

struct RegisterEstimate {
  int stage = 0;             // at the root: its kernel
  int64_t accumulators = 0;  // of 32 bits: cells that a thread keeps, of all its virtual threads
  double registers = 0;
  int64_t most = 0;  // that a thread of a block of this size has
};

// Of each kernel.
std::vector<RegisterEstimate> EstimateRegisters(const ScheduleState& state);

// kIllegal where a kernel for an NVIDIA card would keep more than its threads have: ptxas then
// moves values to local memory.
Result<void> CheckRegisters(const ScheduleState& state);

}  // namespace schedulegym
