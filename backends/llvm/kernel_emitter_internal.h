// KernelEmitter: the C functions of a kernel around the bodies that StatementEmitter writes.
#pragma once

#include <string>

#include "backends/llvm/cpu_facts.h"
#include "backends/llvm/llvm_internal.h"
#include "env/base/result.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

struct KernelOptions {
  int cores = 1;
  bool optimize = true;
};

// Adds `int NAME(T* parameter, ...)`, which answers 0 or ENOMEM, and `void NAME.release()`, which
// frees the workspace that calls keep for the next one. Both are hidden.
Result<llvm::Function*> EmitKernel(const LoopProgram& program, const CpuFacts& cpu,
                                   const KernelOptions& options, const std::string& name,
                                   llvm::Module& module);

// Adds `int NAME.array(void** arguments)` that calls the kernel.
void EmitArrayCall(llvm::Function* kernel, llvm::Module& module);

}  // namespace schedulegym
