// CudaObject: CUDA kernels as a driver loads them, with their launches.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "backends/device_text/device_program.h"
#include "env/measure/kernel_resources.h"

namespace schedulegym {

struct CudaObject {
  static constexpr const char* kName = "cuda object";
  DeviceProgram program;
  std::string cubin;
  std::vector<KernelResources> resources;

  static constexpr auto Fields() {
    using T = CudaObject;
    return std::tuple(&T::program, &T::cubin, &T::resources);
  }
};

}  // namespace schedulegym
