#include "experiments/bench/peers/peer.h"

#include <algorithm>
#include <iterator>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

struct PeerEntry {
  const char* name;
  // Null when this build found no such library.
  std::vector<std::unique_ptr<Peer>> (*make)(const PeerProblem&, int);
  const char* package;  // that holds it
};

constexpr PeerEntry kPeers[] = {
#ifdef SG_OPENBLAS
    {"openblas", MakeOpenblasPeers, "libopenblas-openmp-dev"},
#else
    {"openblas", nullptr, "libopenblas-openmp-dev"},
#endif
#ifdef SG_ONEDNN
    {"onednn", MakeOnednnPeers, "libdnnl-dev"},
#else
    {"onednn", nullptr, "libdnnl-dev"},
#endif
};

}  // namespace

std::vector<std::unique_ptr<Peer>> MakePeers(const PeerProblem& problem, int cores,
                                             const std::vector<std::string>& names) {
  std::vector<std::unique_ptr<Peer>> peers;
  for (const std::string& name : names) {
    const auto* entry = std::ranges::find(kPeers, name, &PeerEntry::name);
    if (entry == std::end(kPeers)) throw InputError(UnknownName("peer", name, PeerNames()));
    if (entry->make == nullptr) {
      throw MachineError("this build lacks peer '" + name + "': install " + entry->package +
                         " and build again");
    }
    for (auto& peer : entry->make(problem, cores)) peers.push_back(std::move(peer));
  }
  return peers;
}

}  // namespace schedulegym
