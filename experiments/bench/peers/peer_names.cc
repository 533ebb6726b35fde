#include "experiments/bench/peers/peer_names.h"

#include <algorithm>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Names of instruction sets: oneDNN uses the set, OpenBLAS a processor of that time.
std::vector<std::string> LimitTo(const char* set, const char* processor) {
  return {std::string("ONEDNN_MAX_CPU_ISA=") + set, std::string("OPENBLAS_CORETYPE=") + processor};
}

}  // namespace

std::vector<std::string> PeerNames() { return {"openblas", "onednn"}; }

void CheckPeerNames(const std::vector<std::string>& names) {
  const std::vector<std::string> known = PeerNames();
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw InputError(UnknownName("peer", name, known));
    }
  }
}

std::vector<std::string> LibraryLimits(const Target& target, const Target& host) {
  const bool is_narrower =
      target.backend == BackendKind::kLlvm && target.vector_bits < host.vector_bits;
  if (!is_narrower) return {};
  if (target.vector_bits == 256) return LimitTo("AVX2", "Haswell");
  return LimitTo("SSE41", "Nehalem");
}

}  // namespace schedulegym
