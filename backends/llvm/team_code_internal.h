// TeamCode: the team of threads within a generated module.
#pragma once

#include "backends/llvm/llvm_internal.h"

namespace schedulegym {

// `void run(task, closure, extent, workers)` of the process's team, looked up where the builder
// stands.
llvm::FunctionCallee EmitTeamRun(llvm::IRBuilder<>& builder, llvm::Module& module);

// Adds what EmitTeamRun refers to, if anything does.
void AddTeamCode(llvm::Module& module);

}  // namespace schedulegym
