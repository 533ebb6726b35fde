// LlvmBackend: the only user of LLVM; machine code for the CPU, in memory or as an object file.
#pragma once

#include <memory>
#include <string>

#include "backends/backend.h"
#include "env/program/targets/target_names.h"

namespace schedulegym {

// Kernels compute as the interpreter does, integers bit for bit: they wrap, and / and % give 0 for
// a divisor of 0. With `optimize`, floats may be fused and reductions over registers reassociated.
// Throws MachineError if the target has features that this machine lacks.
std::unique_ptr<Backend> MakeLlvmBackend(const Target& target);

// As KnownTargetNames, from the tables of this LLVM.
TargetNames LlvmTargetNames();

// LLVM's version, and the version of the code that this backend passes to it. Raise the latter with
// every change that generates other code for the same program.
std::string LlvmToolchainName();

// A position-independent ELF object with the C functions of exported kernels: NAME and, for each
// packed weight W, NAME_pack_W and NAME_packed_W_bytes.
Result<std::string> CompileToObject(const LoopProgram& program, const Target& target,
                                    const std::string& name);

}  // namespace schedulegym
