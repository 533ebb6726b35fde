// DeviceProgram: the kernels of one call, run in turn by a device, as text and launches.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "env/base/result.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

struct DeviceKernel {
  std::string name;              // of the function in the text
  std::vector<int64_t> blocks;   // three: number along x, y, z
  std::vector<int64_t> threads;  // three: number in a block
  // Arguments of the function, in order: a parameter of the program, or ~t for temporary t.
  std::vector<int32_t> arguments;
  int64_t shared_bytes = 0;  // declared in the text, for a block

  static constexpr auto Fields() {
    using T = DeviceKernel;
    return std::tuple(&T::name, &T::blocks, &T::threads, &T::arguments, &T::shared_bytes);
  }
  bool operator==(const DeviceKernel&) const = default;
};

struct DeviceProgram {
  static constexpr const char* kName = "device program";
  std::string source;
  std::vector<DeviceKernel> kernels;  // each begins when the one before it has ended
  std::vector<int64_t> temporaries;   // bytes of each buffer between kernels

  static constexpr auto Fields() {
    using T = DeviceProgram;
    return std::tuple(&T::source, &T::kernels, &T::temporaries);
  }
  bool operator==(const DeviceProgram&) const = default;
};

// One kernel of a program: a statement at its top, whose outer loops are bound.
struct KernelBody {
  StatementPtr body;
  std::vector<int64_t> blocks = {1, 1, 1};
  std::vector<int64_t> threads = {1, 1, 1};
  int64_t shared_bytes = 0;  // of a block
};

struct KernelSplit {
  std::vector<KernelBody> kernels;
  std::vector<int> temporaries;  // buffers that live between kernels
};

// Splits a program at its top: statements in sequence become kernels, with a barrier for all
// threads between two kernels. kUnsupported if a kernel binds one axis twice, allocates global
// memory, or has packed weights.
Result<KernelSplit> SplitKernels(const LoopProgram& program);

}  // namespace schedulegym
