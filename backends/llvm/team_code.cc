// The team is C++ (backends/team/team.cc), which the build also keeps as assembly of any x86-64
// processor. As such it becomes a part of the object that is exported, with names of its own.
#include "backends/llvm/team_code_internal.h"

#include "backends/team/team_assembly.h"

namespace schedulegym {
namespace {

constexpr const char* kTeam = "schedulegym_team_1";

}  // namespace

llvm::FunctionCallee EmitTeamRun(llvm::IRBuilder<>& builder, llvm::Module& module) {
  llvm::Type* pointer = builder.getPtrTy();
  llvm::Type* number = builder.getInt64Ty();
  auto* type =
      llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer, number, number}, false);
  return {type, builder.CreateLoad(pointer, module.getOrInsertGlobal(kTeam, pointer))};
}

void AddTeamCode(llvm::Module& module) {
  if (module.getNamedGlobal(kTeam) != nullptr) module.appendModuleInlineAsm(TeamAssembly());
}

}  // namespace schedulegym
