// KernelResources: what a kernel of a GPU takes of a multiprocessor, as its compiler reports it.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

namespace schedulegym {

struct KernelResources {
  std::string kernel;
  int32_t registers = 0;          // of a thread
  int64_t spill_store_bytes = 0;  // of a thread, to local memory
  int64_t spill_load_bytes = 0;   // likewise
  int64_t stack_bytes = 0;        // of a thread
  int64_t shared_bytes = 0;       // of a block
  int32_t barriers = 0;

  static constexpr auto Fields() {
    using T = KernelResources;
    return std::tuple(&T::kernel, &T::registers, &T::spill_store_bytes, &T::spill_load_bytes,
                      &T::stack_bytes, &T::shared_bytes, &T::barriers);
  }
  bool operator==(const KernelResources&) const = default;
};

// "kernel_0: 40 registers, 0 bytes of spill, ...", a line.
std::string ResourcesText(const KernelResources& resources);

}  // namespace schedulegym
