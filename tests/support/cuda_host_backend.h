// CudaHostBackend: runs the CUDA text of loop programs on this machine's CPU.
#pragma once

#include <memory>

#include "backends/backend.h"
#include "backends/device_text/device_program.h"
#include "backends/device_text/dialect.h"

namespace schedulegym {

// Compiles the text with g++ and cuda_on_host.h. A kernel runs all threads of a block in three
// orders. Returns kRun if outputs depend on the order, or if a wide access is misaligned.
std::unique_ptr<Backend> MakeCudaHostBackend(const Target& target,
                                             const DeviceDialect& dialect = CudaDialect());

// Compiles a text, possibly changed by a test, for a program with these parameters.
Result<std::unique_ptr<Kernel>> CompileOnHost(const LoopProgram& program,
                                              const DeviceProgram& device);

}  // namespace schedulegym
