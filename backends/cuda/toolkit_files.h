// ToolkitFiles: where parts of NVIDIA's toolkit may lie on this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace schedulegym {

// Of NVRTC, in the order in which they are tried: SCHEDULEGYM_NVRTC alone where it is set, else
// Python packages beside this program or in the .venv of a folder above it, NVRTC 13 before 12,
// then the toolkits of CUDA_HOME, CUDA_PATH, the build and /usr/local/cuda, then the names that the
// system's loader looks for.
std::vector<std::string> NvrtcPlaces();

// Those that are in the library folders of these toolkits: of each major release, the later first,
// in the order of `roots`.
std::vector<std::string> NvrtcFilesIn(std::span<const std::filesystem::path> roots);

// The disassembler nvdisasm: SCHEDULEGYM_NVDISASM, else in the same places, then in /usr/bin.
std::optional<std::string> FindNvdisasm();

}  // namespace schedulegym
