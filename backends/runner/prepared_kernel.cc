#include "backends/runner/prepared_kernel.h"

#include <utility>

#include "backends/object_code.h"
#include "env/base/check.h"

namespace schedulegym {
Result<PreparedKernel> PreparedKernel::Make(const Backend& backend, const LoopProgram& program,
                                            std::span<void* const> arguments,
                                            const CompileOptions& options) {
  SG_CHECK(arguments.size() == program.parameters.size(), "an argument for each parameter");
  Result<std::unique_ptr<Kernel>> kernel = backend.Compile(program, options);
  if (!kernel) return kernel.error();
  PreparedKernel prepared;
  prepared.kernel_ = std::move(*kernel);
  prepared.is_parallel_ = ContractOf(program).is_parallel;
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
