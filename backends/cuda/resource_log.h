// ParseResources: the resources of kernels from the log of NVIDIA's assembler, ptxas.
#pragma once

#include <string>
#include <vector>

#include "env/measure/kernel_resources.h"

namespace schedulegym {

// From the log of a compilation with --ptxas-options=-v, in its order; shared bytes are those that
// the text declares. A kernel without figures is left out.
std::vector<KernelResources> ParseResources(const std::string& log);

}  // namespace schedulegym
