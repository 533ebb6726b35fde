// LibraryLimits: what holds vendors' libraries to the instructions of a target.
#pragma once

#include <string>
#include <vector>

#include "env/program/targets/target.h"

namespace schedulegym {

// For the environment of the process that loads them ("NAME=value"); none where the target has all
// that `host` has. A schedule for older vectors is then compared with libraries on such vectors.
std::vector<std::string> LibraryLimits(const Target& target, const Target& host);

}  // namespace schedulegym
