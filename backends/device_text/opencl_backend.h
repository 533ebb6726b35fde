// OpenClBackend: loop programs as OpenCL C; the kernels run in `schedulegym-device`.
#pragma once

#include <memory>
#include <string>

#include "backends/backend.h"

namespace schedulegym {

// Translates to kSource, and to kObject, an encoded DeviceProgram. Compile and Load are
// kUnsupported: no driver is loaded here.
std::unique_ptr<Backend> MakeOpenClBackend(const Target& target);

// "opencl OpenCL 3.0 PoCL ..., generator 1".
std::string OpenClToolchainName(const Target& target);

}  // namespace schedulegym
