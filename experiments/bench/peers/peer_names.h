// Peer names: the vendor libraries of a bench, and environment variables that limit their vectors.
#pragma once

#include <string>
#include <vector>

#include "env/program/targets/target.h"

namespace schedulegym {

// In the order of their columns in rows.
std::vector<std::string> PeerNames();

// Throws InputError for an unknown name.
void CheckPeerNames(const std::vector<std::string>& names);

// Environment variables ("NAME=value") that limit the libraries to the target's vectors, for a fair
// comparison; empty unless these are narrower than the host's. For the process that loads them.
std::vector<std::string> LibraryLimits(const Target& target, const Target& host);

}  // namespace schedulegym
