// ToolkitFiles: where parts of NVIDIA's toolkit may lie on this machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace schedulegym {

// Of NVRTC, in the order in which they are tried: SCHEDULEGYM_NVRTC alone where it is set, else
// Python packages beside this program or in the .venv of a folder above it, then the toolkits of
// CUDA_HOME, CUDA_PATH, the build and /usr/local/cuda, then the names that the system's loader
// looks for.
std::vector<std::string> NvrtcPlaces();

// The disassembler nvdisasm: SCHEDULEGYM_NVDISASM, else in the same places, then in /usr/bin.
std::optional<std::string> FindNvdisasm();

}  // namespace schedulegym
