// VectorPlan: how a vector loop of any extent is cut into pieces of the hardware's widths.
#pragma once

#include <cstdint>
#include <vector>

namespace schedulegym {

// Lanes offset .. offset + active - 1 of the loop, computed in vectors of `width` >= active lanes.
struct VectorPiece {
  int64_t offset = 0;
  int width = 1;
  int active = 1;
};

// The first `repeats` pieces of `lanes` lanes stand for themselves in a loop when there are many.
struct VectorPlan {
  int64_t repeats = 0;
  std::vector<VectorPiece> pieces;
};

// `lanes` is a power of two. With `masks`, a remainder that is no power of two becomes one piece
// with idle lanes, else several. More than `most_pieces` full ones are repeated in a loop.
VectorPlan PlanVector(int64_t extent, int lanes, bool masks, int64_t most_pieces);

}  // namespace schedulegym
