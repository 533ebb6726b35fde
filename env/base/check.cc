#include "env/base/check.h"

namespace schedulegym {

void FailCheck(const char* condition, const char* file, int line, const std::string& message) {
  throw std::logic_error(std::string(file) + ":" + std::to_string(line) +
                         ": check failed: " + condition + ": " + message);
}

}  // namespace schedulegym
