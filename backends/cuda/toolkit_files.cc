#include "backends/cuda/toolkit_files.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>

#include "env/base/text.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

// The later major release first.
constexpr const char* kNvrtcNames[] = {"libnvrtc.so.13", "libnvrtc.so.12"};

// Sorted in descending order, so that the later of two releases comes first.
std::vector<fs::path> EntriesOf(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    entries.push_back(at->path());
  }
  std::ranges::sort(entries, std::greater<>());
  return entries;
}

// Folders of Python packages: those above this program, and the environment .venv in each.
std::vector<fs::path> PackageFolders() {
  constexpr int kMostLevels = 6;
  std::error_code unknown;
  std::vector<fs::path> folders;
  fs::path above = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  for (int level = 0; level < kMostLevels && above != above.root_path(); ++level) {
    folders.push_back(above);
    for (const fs::path& python : EntriesOf(above / ".venv/lib")) {
      folders.push_back(python / "site-packages");
    }
    above = above.parent_path();
  }
  return folders;
}

// The parts of NVIDIA's packages ("nvidia/cu13", "nvidia/cuda_nvrtc"), each with the folders of a
// toolkit in it.
std::vector<fs::path> PackageRoots() {
  std::vector<fs::path> roots;
  for (const fs::path& folder : PackageFolders()) {
    for (const fs::path& part : EntriesOf(folder / "nvidia")) roots.push_back(part);
  }
  return roots;
}

std::vector<fs::path> ToolkitRoots() {
  std::vector<fs::path> roots;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const auto root = FindVariable(variable)) roots.emplace_back(*root);
  }
#ifdef SCHEDULEGYM_CUDA_ROOT
  roots.emplace_back(SCHEDULEGYM_CUDA_ROOT);
#endif
  roots.emplace_back("/usr/local/cuda");
  return roots;
}

void Append(std::vector<std::string> more, std::vector<std::string>& places) {
  places.insert(places.end(), more.begin(), more.end());
}

}  // namespace

std::vector<std::string> NvrtcFilesIn(std::span<const fs::path> roots) {
  std::vector<std::string> files;
  for (const char* name : kNvrtcNames) {
    for (const fs::path& root : roots) {
      for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib"}) {
        const std::string file = (root / folder / name).string();
        if (access(file.c_str(), R_OK) == 0) files.push_back(file);
      }
    }
  }
  return files;
}

std::vector<std::string> NvrtcPlaces() {
  if (const auto given = FindVariable("SCHEDULEGYM_NVRTC")) return {*given};
  std::vector<std::string> places = NvrtcFilesIn(PackageRoots());
  for (const fs::path& root : ToolkitRoots()) Append(NvrtcFilesIn({{root}}), places);
  Append({std::begin(kNvrtcNames), std::end(kNvrtcNames)}, places);
  return places;
}

std::optional<std::string> FindNvdisasm() {
  if (auto given = FindVariable("SCHEDULEGYM_NVDISASM")) return given;
  std::vector<fs::path> roots = PackageRoots();
  for (const fs::path& root : ToolkitRoots()) roots.push_back(root);
  roots.emplace_back("/usr");
  for (const fs::path& root : roots) {
    std::string file = (root / "bin/nvdisasm").string();
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return std::nullopt;
}

}  // namespace schedulegym
