// Target lack: why nothing can be measured on a target here.
#pragma once

#include <optional>
#include <string>

#include "env/base/spec.h"

namespace schedulegym {

// One line; none where this build and this machine have what it takes.
std::optional<std::string> TargetLack(const Spec& target);

}  // namespace schedulegym
