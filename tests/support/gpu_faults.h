// GpuFaults: GPU programs with a planted fault each, for tests of program checks.
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

// At least one of each kind, on integers. No faulty kernel stores far outside of its buffers.
std::vector<GpuFault> PlantedGpuFaults();

// Changes each statement of `program`, innermost first.
LoopProgram WithChange(LoopProgram program,
                       const std::function<StatementPtr(const StatementPtr&)>& change);
// Removes barrier number `dropped`, in the order of the text.
LoopProgram WithoutBarrier(const LoopProgram& program, int dropped);

}  // namespace schedulegym
