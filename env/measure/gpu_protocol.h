// GpuProtocol: the protocol GPU-1, by which kernels of CUDA are timed.
#pragma once

#include <string>

#include "env/measure/protocol.h"

namespace schedulegym {

inline constexpr const char* kGpuProtocolName = "gpu1";

// Fields of cpu1 with other defaults. Differences beside these: a sample is one call between two
// events of the device; before it a buffer of twice the second-level cache is written; a sample
// while the clock was held down is repeated.
Protocol GpuProtocol();

// `gpu1(...)` with every parameter that a user gave; fields with the default protocol's value take
// those of GpuProtocol().
std::string GpuProtocolText(const Protocol& protocol);

}  // namespace schedulegym
