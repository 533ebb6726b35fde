#include "env/base/fault.h"

#include "env/base/utf8.h"

namespace schedulegym {

ShownError::ShownError(const std::string& message) : std::runtime_error(Shown(message)) {}

}  // namespace schedulegym
