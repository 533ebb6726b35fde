// CudaBackend: loop programs as CUDA C++, compiled by NVRTC without a device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/cuda/cuda_object.h"

namespace schedulegym {

// Translates to kSource, kIr (PTX) and kAssembly (SASS), both below the kernels' resources, and to
// kObject (an encoded CudaObject). All but kSource throw MachineError if NVRTC, or for kAssembly
// nvdisasm, is missing. Compile and Load return kUnsupported.
std::unique_ptr<Backend> MakeCudaBackend(const Target& target);

// Machine code of kernels called `kernel`_0, `kernel`_1, ... Throws MachineError without NVRTC.
Result<CudaObject> CompileCuda(const LoopProgram& program, const Target& target,
                               const std::string& kernel);

// Resources of the kernels in an encoded CudaObject; empty for other bytes.
std::vector<KernelResources> ResourcesOfCuda(const std::string& object);

// "nvrtc 13.0 sm_90a, generator 1". Throws MachineError without NVRTC.
std::string CudaToolchainName(const Target& target);

// Describes where NVRTC was found and its targets. Throws MachineError without NVRTC.
std::string DescribeNvrtc();

}  // namespace schedulegym
