#include "backends/llvm/vector_plan.h"

#include <bit>

namespace schedulegym {

VectorPlan PlanVector(int64_t extent, int lanes, bool masks, int64_t most_pieces) {
  VectorPlan plan;
  const int64_t full = extent / lanes;
  int64_t offset = 0;
  if (full > most_pieces) {
    plan.repeats = full;
    offset = full * lanes;
  }
  for (; offset + lanes <= extent; offset += lanes) plan.pieces.push_back({offset, lanes, lanes});
  while (offset < extent) {
    const unsigned rest = static_cast<unsigned>(extent - offset);
    const int width = static_cast<int>(masks ? std::bit_ceil(rest) : std::bit_floor(rest));
    const int active = masks ? static_cast<int>(rest) : width;
    plan.pieces.push_back({offset, width, active});
    offset += active;
  }
  return plan;
}

}  // namespace schedulegym
