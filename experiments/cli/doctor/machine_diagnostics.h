// Machine findings: facts of this machine for kernels, and which parts of the program exist.
#pragma once

#include <vector>

#include "env/measure/host/machine_facts.h"
#include "env/program/targets/target.h"
#include "experiments/cli/doctor/diagnostic.h"

namespace schedulegym {

// Processor, cores, vectors, caches, memory, system.
std::vector<Diagnostic> MachineDiagnostics(const Target& target, const MachineFacts& machine);

// Backends, the linker that `export` needs, and the libraries that `bench` compares with.
std::vector<Diagnostic> PartDiagnostics();

}  // namespace schedulegym
