// CpuCheck: code that asks the running processor for the features that other code needs.
#pragma once

#include "backends/llvm/llvm_internal.h"
#include "env/program/targets/target.h"

namespace schedulegym {

// Adds `bool NAME.supported()`, itself in code that every x86-64 processor runs. It asks once and
// remembers.
llvm::Function* EmitCpuCheck(const Target& target, const std::string& name, llvm::Module& module);

// Keeps a function to the instructions of every x86-64 processor.
void CompileForAnyCpu(llvm::Function* function);

}  // namespace schedulegym
