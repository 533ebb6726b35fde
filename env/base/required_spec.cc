#include "env/base/required_spec.h"

#include <utility>

#include "env/base/fault.h"

namespace schedulegym {

Spec RequireSpec(const std::string& option, std::string_view text) {
  Result<Spec> spec = ParseSpec(text);
  if (!spec) throw InputError(option + ": " + spec.error().message);
  return *std::move(spec);
}

}  // namespace schedulegym
