// LaunchLimits: what a device refuses to launch.
#pragma once

#include "backends/device_text/device_program.h"
#include "env/base/result.h"
#include "env/program/targets/gpu_facts.h"

namespace schedulegym {

// kUnsupported for a kernel with more threads or shared memory than a block may have.
Result<void> CheckLaunches(const DeviceProgram& device, const GpuFacts& facts);

}  // namespace schedulegym
