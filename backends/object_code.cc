#include "backends/object_code.h"

namespace schedulegym {
namespace {

bool IsParallel(const StatementPtr& statement);

bool IsParallel(const For& loop) {
  return (loop.kind == LoopKind::kParallel && loop.extent > 1) || IsParallel(loop.body);
}
bool IsParallel(const Let& let) { return IsParallel(let.body); }
bool IsParallel(const If& choice) {
  return IsParallel(choice.then_body) || IsParallel(choice.else_body);
}
bool IsParallel(const Allocate& allocate) { return IsParallel(allocate.body); }
bool IsParallel(const Store&) { return false; }
bool IsParallel(const Barrier&) { return false; }
bool IsParallel(const Block& block) {
  for (const StatementPtr& statement : block.statements) {
    if (IsParallel(statement)) return true;
  }
  return false;
}

bool IsParallel(const StatementPtr& statement) {
  if (statement == nullptr) return false;
  return std::visit([](const auto& node) { return IsParallel(node); }, statement->node);
}

}  // namespace

KernelContract ContractOf(const LoopProgram& program) {
  KernelContract contract;
  for (const Parameter& parameter : program.parameters) {
    contract.parameters.push_back({parameter.bytes, parameter.is_output, parameter.is_packed});
  }
  for (const WeightPack& pack : program.packs) contract.packs.push_back(pack.parameter);
  contract.is_parallel = IsParallel(program.body);
  return contract;
}

bool HasLlvm() {
#ifdef SCHEDULEGYM_HAS_LLVM
  return true;
#else
  return false;
#endif
}

}  // namespace schedulegym
