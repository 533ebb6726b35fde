// RequireSpec: a spec that somebody gave as an option or argument.
#pragma once

#include <string>
#include <string_view>

#include "env/base/spec.h"

namespace schedulegym {

// Throws InputError, which begins with the option's name, for what is none.
Spec RequireSpec(const std::string& option, std::string_view text);

}  // namespace schedulegym
