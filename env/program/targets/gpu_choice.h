// GpuChoice: selects the GPU of a machine that runs the kernels of a target.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "env/program/targets/gpu_facts.h"

namespace schedulegym {

// True if machine code for `code` runs on a device of architecture `device`: the same, or of the
// same major number and a minor number that is not higher (CUDA C++ Programming Guide 13.0, 1.4.1).
// "sm_90a" runs on 9.0 only.
bool RunsCodeOf(const std::string& device, const std::string& code);

// The position of the device with the target's name, else of the one that runs its architecture.
// Throws InputError, with the devices' names, if there is none, or more than one.
size_t ChooseGpu(std::span<const GpuFacts> devices, const GpuFacts& wanted);

}  // namespace schedulegym
