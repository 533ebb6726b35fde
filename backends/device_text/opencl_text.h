// OpenClText: OpenCL C 1.2 of a loop program.
#pragma once

#include "backends/device_text/device_program.h"
#include "env/base/result.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// One function for each kernel of SplitKernels. Indices have 32 bits where all of a program's
// values fit. Needs neither a driver nor a compiler. kUnsupported as SplitKernels, and for f16 and
// bf16.
Result<DeviceProgram> OpenClText(const LoopProgram& program);

}  // namespace schedulegym
