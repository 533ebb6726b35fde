// CpuCheck: code that checks whether the running processor has the features of the other code.
#pragma once

#include "backends/llvm/llvm_internal.h"
#include "env/program/targets/target.h"

namespace schedulegym {

// Adds `bool NAME.supported()`, in code that every x86-64 processor runs. It checks once and keeps
// the result.
llvm::Function* EmitCpuCheck(const Target& target, const std::string& name, llvm::Module& module);

// Keeps a function to the instructions of every x86-64 processor.
void CompileForAnyCpu(llvm::Function* function);

}  // namespace schedulegym
