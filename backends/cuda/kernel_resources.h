// KernelResources: what a kernel of CUDA takes of a multiprocessor, as ptxas reports it.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace schedulegym {

struct KernelResources {
  std::string kernel;
  int32_t registers = 0;          // of a thread
  int64_t spill_store_bytes = 0;  // of a thread, to local memory
  int64_t spill_load_bytes = 0;   // likewise
  int64_t stack_bytes = 0;        // of a thread
  int64_t shared_bytes = 0;       // of a block, what the text declares
  int32_t barriers = 0;

  static constexpr auto Fields() {
    using T = KernelResources;
    return std::tuple(&T::kernel, &T::registers, &T::spill_store_bytes, &T::spill_load_bytes,
                      &T::stack_bytes, &T::shared_bytes, &T::barriers);
  }
  bool operator==(const KernelResources&) const = default;
};

// From the log of a compilation with --ptxas-options=-v, in its order. A kernel without figures is
// left out.
std::vector<KernelResources> ParseResources(const std::string& log);

// "kernel_0: 40 registers, 0 bytes of spill, ...", a line.
std::string ResourcesText(const KernelResources& resources);

}  // namespace schedulegym
