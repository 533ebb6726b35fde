// GpuFaults: programs for a GPU with a fault planted in each, for the judges of such programs.
#pragma once

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

}  // namespace schedulegym
