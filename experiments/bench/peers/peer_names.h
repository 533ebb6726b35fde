// The vendor libraries that may be timed beside our kernels, and how they are held to a target.
#pragma once

#include <string>
#include <vector>

#include "env/program/targets/target.h"

namespace schedulegym {

// In the order in which rows show them.
std::vector<std::string> PeerNames();

// Throws InputError for a name that is none of these.
void CheckPeerNames(const std::vector<std::string>& names);

// For the environment of the process that loads them ("NAME=value"); none where the target has all
// that `host` has. A schedule for older vectors is then compared with libraries on such vectors.
std::vector<std::string> LibraryLimits(const Target& target, const Target& host);

}  // namespace schedulegym
