// KernelResources: multiprocessor resources of a GPU kernel, as its compiler reports them.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

namespace schedulegym {

struct KernelResources {
  std::string kernel;
  int32_t registers = 0;          // per thread
  int64_t spill_store_bytes = 0;  // per thread, to local memory
  int64_t spill_load_bytes = 0;   // per thread, from local memory
  int64_t stack_bytes = 0;        // per thread
  int64_t shared_bytes = 0;       // per block
  int32_t barriers = 0;

  static constexpr auto Fields() {
    using T = KernelResources;
    return std::tuple(&T::kernel, &T::registers, &T::spill_store_bytes, &T::spill_load_bytes,
                      &T::stack_bytes, &T::shared_bytes, &T::barriers);
  }
  bool operator==(const KernelResources&) const = default;
};

// Returns one line: "kernel_0: 40 registers, 0 bytes of spill, ...".
std::string ResourcesText(const KernelResources& resources);

}  // namespace schedulegym
