// ToolkitFiles: finds parts of NVIDIA's toolkit on this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace schedulegym {

// Possible paths of NVRTC, in the order of trial: SCHEDULEGYM_NVRTC alone if it is set, else Python
// packages beside this program or in the .venv of a folder above it, NVRTC 13 before 12, then the
// toolkits of CUDA_HOME, CUDA_PATH, the build and /usr/local/cuda, then the names that the system's
// loader resolves.
std::vector<std::string> NvrtcPlaces();

// NVRTC files in the library folders of these toolkits: for each major release, the later first, in
// the order of `roots`.
std::vector<std::string> NvrtcFilesIn(std::span<const std::filesystem::path> roots);

// Path of the disassembler: SCHEDULEGYM_NVDISASM, else in the same places, then in /usr/bin.
std::optional<std::string> FindNvdisasm();

}  // namespace schedulegym
