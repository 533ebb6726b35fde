// GeneratedCode: the LLVM backend's code for a schedule, as text.
#pragma once

#include <string>

namespace schedulegym {

// LLVM's representation of `.dag` text after `steps` (the lines of a trace without its first), for
// a target's spec.
std::string GeneratedIr(const std::string& target, const std::string& dag,
                        const std::string& steps);

}  // namespace schedulegym
