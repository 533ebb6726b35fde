// Peer names: the vendor libraries that may stand beside our kernels.
#pragma once

#include <string>
#include <vector>

namespace schedulegym {

// In the order in which rows show them.
std::vector<std::string> PeerNames();

// Throws InputError for a name that is none of these.
void CheckPeerNames(const std::vector<std::string>& names);

}  // namespace schedulegym
