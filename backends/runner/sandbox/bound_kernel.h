// BoundKernel: a kernel of a candidate's process with its packed weights in guarded memory.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/object_code.h"
#include "backends/runner/sandbox/tensor_layout.h"

namespace schedulegym {

class BoundKernel {
 public:
  // Memory for packed weights is private to the process and touched here. `linked`: the code's
  // kernel, null where it is still to be linked. kCompile when the object cannot be linked, kRun
  // when there is no memory.
  static Result<BoundKernel> Make(const Backend& backend, const ObjectCode& code,
                                  std::shared_ptr<const Kernel> linked = nullptr);

  // Plain tensors, one for each parameter; weights are packed into the kernel's own memory.
  Result<void> Bind(std::span<void* const> tensors);
  Result<void> Call() const { return kernel_->Run(arguments_); }

  // Whether nothing was written beside the packed weights.
  bool BordersIntact() const;

 private:
  BoundKernel() = default;
  bool MakeMemory(const std::vector<int64_t>& sizes);

  std::shared_ptr<const Kernel> kernel_;
  std::vector<int32_t> packs_;  // by pack: the parameter that it fills
  std::vector<size_t> slots_;   // by pack: the place in the layout
  TensorLayout layout_;
  std::byte* packed_ = nullptr;  // for the rest of the process
  std::vector<void*> arguments_;
};

}  // namespace schedulegym
