#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace schedulegym {

// The value of an environment variable; nothing where it is not set or empty: `NAME= command` takes
// it away for one command.
inline std::optional<std::string> FindVariable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

}  // namespace schedulegym
