// FunctionNames: identifiers in one function of a text, each once.
#pragma once

#include <set>
#include <string>

#include "backends/device_text/dialect.h"

namespace schedulegym {

// The array that all shared buffers of a kernel lie in; Take gives it to nothing else.
inline constexpr const char* kSharedMemory = "shared_memory";

class FunctionNames {
 public:
  explicit FunctionNames(const DeviceDialect& dialect) : dialect_(dialect) {}

  // Like `wish`: other characters than letters, digits and _ become _, and what the language may
  // know or the function has already is changed.
  std::string Take(const std::string& wish);

 private:
  const DeviceDialect& dialect_;
  std::set<std::string> taken_;
};

}  // namespace schedulegym
