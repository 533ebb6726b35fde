// PreparedKernel: compiled code with its weights packed and its arguments bound, ready to be
// called.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backends/backend.h"
#include "env/base/result.h"
#include "env/measure/aligned_buffer.h"

namespace schedulegym {

class PreparedKernel {
 public:
  // `arguments`: the plain tensors in the order of the program's parameters; they must outlive
  // this and are read when weights are packed, here.
  static Result<PreparedKernel> Make(const Backend& backend, const LoopProgram& program,
                                     std::span<void* const> arguments,
                                     const CompileOptions& options = {});

  // One call. Errors are of kind kRun.
  Result<void> Call() const { return kernel_->Run(arguments_); }
  // The same with other plain tensors: weights are packed anew, where they are.
  Result<void> Rebind(std::span<void* const> arguments);

  const Kernel& kernel() const { return *kernel_; }

 private:
  PreparedKernel() = default;

  std::unique_ptr<Kernel> kernel_;
  std::vector<WeightPack> packs_;
  std::vector<AlignedBuffer> packed_;  // by pack parameter
  std::vector<int> packed_parameters_;
  std::vector<void*> arguments_;
};

}  // namespace schedulegym
