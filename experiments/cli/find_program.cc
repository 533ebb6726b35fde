#include "experiments/cli/find_program.h"

#include <unistd.h>

#include <algorithm>

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

}  // namespace schedulegym
