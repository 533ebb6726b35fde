#include "backends/runner/prepared_kernel.h"

#include <utility>

#include "env/base/check.h"

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

Result<PreparedKernel> PreparedKernel::Make(const Backend& backend, const LoopProgram& program,
                                            std::span<void* const> arguments,
                                            const CompileOptions& options) {
  SG_CHECK(arguments.size() == program.parameters.size(), "an argument for each parameter");
  Result<std::unique_ptr<Kernel>> kernel = backend.Compile(program, options);
  if (!kernel) return kernel.error();
  PreparedKernel prepared;
  prepared.kernel_ = std::move(*kernel);
  prepared.is_parallel_ = IsParallel(program.body);
  for (const WeightPack& pack : program.packs) {
    prepared.packs_.push_back(pack.parameter);
    prepared.packed_.try_emplace(pack.parameter, program.parameters[pack.parameter].bytes);
  }
  if (auto bound = prepared.Bind(arguments); !bound) return bound.error();
  return prepared;
}

Result<void> PreparedKernel::Bind(std::span<void* const> arguments) {
  arguments_.assign(arguments.begin(), arguments.end());
  for (size_t i = 0; i < packs_.size(); ++i) {
    const int parameter = packs_[i];
    void* packed = packed_.at(parameter).data();
    if (auto done = kernel_->Pack(static_cast<int>(i), arguments[parameter], packed); !done) {
      return done;
    }
    arguments_[parameter] = packed;
  }
  return {};
}

bool PreparedKernel::BordersIntact() const {
  for (const auto& [parameter, buffer] : packed_) {
    if (!buffer.BordersIntact()) return false;
  }
  return true;
}

}  // namespace schedulegym
