// DeviceHeader: a C header that says how the kernels of an exported text are launched.
#pragma once

#include <string>

#include "backends/device_text/device_program.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// Tables of C99 named after `name`: bytes of the buffers between kernels, and for each kernel its
// function, global and local sizes of OpenCL, and the order of its arguments.
std::string DeviceHeader(const LoopProgram& program, const DeviceProgram& device,
                         const std::string& name);

}  // namespace schedulegym
