#include "assembly/processes/find_program.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "env/base/fault.h"

namespace schedulegym {

std::optional<std::string> FindInPath(const std::string& program, std::string_view path) {
  while (!path.empty()) {
    const size_t end = std::min(path.find(':'), path.size());
    const std::string candidate = std::string(path.substr(0, end)) + "/" + program;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return std::nullopt;
}

std::string FindPython() {
  if (const char* given = std::getenv("SCHEDULEGYM_PYTHON")) {
    const std::string python = given;
    return python.find('/') == std::string::npos ? python
                                                 : std::filesystem::absolute(python).string();
  }
  const char* path = std::getenv("PATH");
  const auto found = FindInPath("python3", path != nullptr ? path : "");
  if (!found) throw MachineError("no python3 in PATH: expected it there or in SCHEDULEGYM_PYTHON");
  return *found;
}

}  // namespace schedulegym
