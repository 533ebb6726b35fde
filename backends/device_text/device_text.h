// DeviceText: a loop program in the language of a device.
#pragma once

#include <string>

#include "backends/device_text/device_program.h"
#include "backends/device_text/dialect.h"
#include "env/base/result.h"
#include "env/lower/loop_program.h"
#include "env/program/targets/gpu_facts.h"

namespace schedulegym {

// One function for each kernel of SplitKernels, called `kernel`_0, `kernel`_1, ... Indices have 32
// bits where all of a program's values fit. Needs neither a driver nor a compiler. Memory holds f16
// and bf16 as their 16 bits, expressions and local buffers as floats. kUnsupported as SplitKernels.
Result<DeviceProgram> DeviceText(const LoopProgram& program, const DeviceDialect& dialect,
                                 const std::string& kernel = "kernel");

// The same for a device of these facts; kUnsupported also as CheckLaunches.
Result<DeviceProgram> DeviceText(const LoopProgram& program, const DeviceDialect& dialect,
                                 const GpuFacts& facts, const std::string& kernel = "kernel");

}  // namespace schedulegym
