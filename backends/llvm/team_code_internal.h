// TeamCode: the team of threads within a generated module.
#pragma once

#include "backends/llvm/llvm_internal.h"

namespace schedulegym {

// Declares `void run(task, closure, extent, workers)` of the process's team, at the builder's
// position.
llvm::FunctionCallee EmitTeamRun(llvm::IRBuilder<>& builder, llvm::Module& module);

// Adds the definitions that EmitTeamRun refers to, if it was called.
void AddTeamCode(llvm::Module& module);

}  // namespace schedulegym
