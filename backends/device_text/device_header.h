// DeviceFiles: an exported text as files, and a C header with the launches of its kernels.
#pragma once

#include <string>

#include "backends/device_text/device_program.h"
#include "backends/device_text/dialect.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// C99 tables named after `name`: bytes of the buffers between kernels, and for each kernel its
// function, its sizes (OpenCL: global and local; CUDA: grid, block, dynamic shared memory), and the
// order of its arguments. For CUDA also a declaration of the function that CudaSource adds.
std::string DeviceHeader(const LoopProgram& program, const DeviceProgram& device,
                         const DeviceDialect& dialect, const std::string& name);

// The text of CUDA kernels with a function NAME_launch that launches them in turn, for nvcc.
std::string CudaSource(const LoopProgram& program, const DeviceProgram& device,
                       const std::string& name);

}  // namespace schedulegym
