// PreparedKernel: compiled code with its weights packed and its arguments bound, ready to be
// called.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "backends/backend.h"
#include "backends/object_code.h"
#include "env/base/result.h"
#include "env/measure/timing/timing_memory.h"

namespace schedulegym {

class PreparedKernel {
 public:
  // `arguments`: a plain tensor for each of the program's parameters, in order; they must outlive
  // this. Weights are packed here.
  static Result<PreparedKernel> Make(const Backend& backend, const LoopProgram& program,
                                     std::span<void* const> arguments,
                                     const CompileOptions& options = {});
  // The same for code that was compiled elsewhere.
  static Result<PreparedKernel> Load(const Backend& backend, const ObjectCode& code,
                                     std::span<void* const> arguments);

  // Binds other plain tensors; packs the weights anew.
  Result<void> Bind(std::span<void* const> arguments);

  // One call. Errors are of kind kRun.
  Result<void> Call() const { return kernel_->Run(arguments_); }

  // Whether nothing was written beside the packed weights.
  bool BordersIntact() const;
  // Whether some loop runs on several threads.
  bool is_parallel() const { return is_parallel_; }
  const Kernel& kernel() const { return *kernel_; }

 private:
  PreparedKernel() = default;
  static Result<PreparedKernel> Adopt(std::unique_ptr<Kernel> kernel,
                                      const KernelContract& contract,
                                      std::span<void* const> arguments);

  std::unique_ptr<Kernel> kernel_;
  std::vector<int> packs_;               // by pack: the parameter it fills
  std::map<int, AlignedBuffer> packed_;  // by parameter
  std::vector<void*> arguments_;
  bool is_parallel_ = false;
};

}  // namespace schedulegym
