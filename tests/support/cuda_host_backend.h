// CudaHostBackend: runs the CUDA text of loop programs on this machine's processor.
#pragma once

#include <memory>

#include "backends/backend.h"
#include "backends/device_text/device_program.h"
#include "backends/device_text/dialect.h"

namespace schedulegym {

// Compiles the text with g++ and cuda_on_host.h. A kernel runs all threads of a block in three
// orders; outputs that depend on the order are kRun, as are misaligned wide accesses.
std::unique_ptr<Backend> MakeCudaHostBackend(const Target& target,
                                             const DeviceDialect& dialect = CudaDialect());

// Of a text, which tests may have changed, for a program of these parameters.
Result<std::unique_ptr<Kernel>> CompileOnHost(const LoopProgram& program,
                                              const DeviceProgram& device);

}  // namespace schedulegym
