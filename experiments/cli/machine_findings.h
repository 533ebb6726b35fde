// Machine findings: what this machine offers to kernels, and what of the program's parts is there.
#pragma once

#include <vector>

#include "env/measure/machine_facts.h"
#include "env/program/target.h"
#include "experiments/cli/finding.h"

namespace schedulegym {

// Processor, cores, vectors, caches, memory, system.
std::vector<Finding> MachineFindings(const Target& target, const MachineFacts& machine);

// Backends, the linker that `export` needs, and the libraries that `bench` compares with.
std::vector<Finding> PartFindings();

}  // namespace schedulegym
