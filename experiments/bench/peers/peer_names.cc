#include "experiments/bench/peers/peer_names.h"

#include <algorithm>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {

std::vector<std::string> PeerNames() { return {"openblas", "onednn"}; }

void CheckPeerNames(const std::vector<std::string>& names) {
  const std::vector<std::string> known = PeerNames();
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw InputError(UnknownName("peer", name, known));
    }
  }
}

}  // namespace schedulegym
