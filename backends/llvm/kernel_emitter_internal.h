// KernelEmitter: the C functions of a kernel around the bodies that StatementEmitter writes.
#pragma once

#include <string>

#include "backends/llvm/llvm_internal.h"
#include "backends/llvm/program_facts.h"
#include "backends/llvm/statement_emitter_internal.h"
#include "env/base/result.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// How a kernel is called.
enum class CallForm {
  kPointers,  // int NAME(T* parameter, ...)
  kArray,     // int NAME(void** arguments)
};

struct KernelOptions {
  int cores = 1;
  bool optimize = true;
  CallForm form = CallForm::kPointers;
  ParallelRuntime runtime = ParallelRuntime::kOpenMp;
};

struct EmittedKernel {
  llvm::Function* function = nullptr;  // answers 0 or ENOMEM
  // `void NAME.release()` frees the workspace that calls keep for the next one; null where they
  // need none.
  llvm::Function* release = nullptr;
  // Whether loops hold work that LLVM could share or move out of them.
  bool has_spare_work = false;
};

// Adds NAME and the functions it calls; both functions are hidden.
Result<EmittedKernel> EmitKernel(const LoopProgram& program, const CpuFacts& cpu,
                                 const KernelOptions& options, const std::string& name,
                                 llvm::Module& module);

}  // namespace schedulegym
