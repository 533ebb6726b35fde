// GpuProtocol: the protocol GPU-1, by which kernels of CUDA are timed.
#pragma once

#include <string>

#include "env/measure/protocol.h"

namespace schedulegym {

inline constexpr const char* kGpuProtocolName = "gpu1";

// Fields of CPU-1 with other defaults. What it stands for beside them: a sample is one call between
// two events of the device, before which a buffer of twice the second-level cache is written, and a
// sample during which the clock was held down is taken again.
Protocol GpuProtocol();

// `gpu1(...)` with every parameter written out, of those that a user gave; those of the default
// protocol stand for GpuProtocol().
std::string GpuProtocolText(const Protocol& protocol);

}  // namespace schedulegym
