#include "backends/runner/verification/prepared_kernel.h"

#include <utility>

#include "backends/object_code.h"
#include "env/base/check.h"

namespace schedulegym {
Result<PreparedKernel> PreparedKernel::Make(const Backend& backend, const LoopProgram& program,
                                            std::span<void* const> arguments,
                                            const CompileOptions& options) {
  Result<std::unique_ptr<Kernel>> kernel = backend.Compile(program, options);
  if (!kernel) return kernel.error();
  return Adopt(std::move(*kernel), ContractOf(program), arguments);
}

Result<PreparedKernel> PreparedKernel::Load(const Backend& backend, const ObjectCode& code,
                                            std::span<void* const> arguments) {
  Result<std::unique_ptr<Kernel>> kernel =
      backend.Load(code.object, static_cast<int>(code.contract.packs.size()));
  if (!kernel) return kernel.error();
  return Adopt(std::move(*kernel), code.contract, arguments);
}

Result<PreparedKernel> PreparedKernel::Adopt(std::unique_ptr<Kernel> kernel,
                                             const KernelContract& contract,
                                             std::span<void* const> arguments) {
  SG_CHECK(arguments.size() == contract.parameters.size(), "an argument for each parameter");
  PreparedKernel prepared;
  prepared.kernel_ = std::move(kernel);
  prepared.is_parallel_ = contract.is_parallel;
  for (int32_t parameter : contract.packs) {
    prepared.packs_.push_back(parameter);
    prepared.packed_.try_emplace(parameter, contract.parameters.at(parameter).bytes);
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
