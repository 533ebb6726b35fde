// TemporaryFolder: an empty folder that disappears with its contents.
#pragma once

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace schedulegym {

class TemporaryFolder {
 public:
  // In `parent`, or in the system's temporary folder if `parent` does not exist.
  explicit TemporaryFolder(const std::filesystem::path& parent = "") {
    const bool exists = !parent.empty() && std::filesystem::is_directory(parent);
    const auto folder = exists ? parent : std::filesystem::temp_directory_path();
    std::string name = (folder / "schedulegym-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string Path(const std::string& name) const { return (path_ / name).string(); }
  // Names of the contents, sorted.
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace schedulegym
