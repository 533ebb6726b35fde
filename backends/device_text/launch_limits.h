// LaunchLimits: what a device refuses to launch.
#pragma once

#include "backends/device_text/device_program.h"
#include "env/base/result.h"
#include "env/lower/loop_program.h"
#include "env/program/targets/gpu_facts.h"

namespace schedulegym {

// kUnsupported with what was found and the limit, for a kernel with more threads or shared memory
// than a block may have, more virtual threads than a thread, or a wider vector. kUnsupported as
// SplitKernels where the program has no kernels.
Result<void> CheckLaunches(const LoopProgram& program, const GpuFacts& facts);
// The same of the program's kernels.
Result<void> CheckLaunches(const LoopProgram& program, const KernelSplit& split,
                           const GpuFacts& facts);

}  // namespace schedulegym
