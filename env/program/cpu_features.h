// HostFeatures: the instruction sets that this processor has and this system lets programs use.
#pragma once

#include <string>
#include <vector>

namespace schedulegym {

// Sorted LLVM names; only those that computations may use.
std::vector<std::string> HostFeatures();

}  // namespace schedulegym
