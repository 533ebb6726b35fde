// GpuFaults: programs for a GPU with a fault planted in each, for the judges of such programs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "env/lower/loop_program.h"

namespace schedulegym {

struct GpuFault {
  std::string name;  // of its kind
  LoopProgram right;
  LoopProgram faulty;
};

// At least one of each kind, on integers. No faulty kernel stores far beside its buffers.
std::vector<GpuFault> PlantedGpuFaults();

// `program` with each of its statements changed, from the innermost on.
LoopProgram WithChange(LoopProgram program,
                       const std::function<StatementPtr(const StatementPtr&)>& change);
// Without the barrier of this number, in the text's order.
LoopProgram WithoutBarrier(const LoopProgram& program, int dropped);

}  // namespace schedulegym
