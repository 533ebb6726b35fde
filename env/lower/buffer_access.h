// BufferAccess: one read or store of a buffer, with the facts that hold there.
#pragma once

#include <cstddef>
#include <vector>

#include "env/lower/fact.h"
#include "env/lower/loop_program.h"
#include "env/program/index_math/prover.h"

namespace schedulegym {

struct BufferAccess {
  int buffer = 0;
  bool is_store = false;
  std::vector<Expr> indices;
  std::vector<Fact> facts;  // outermost first
};

// Proves that no two iterations of a loop touch the same cell unless both only read it. `outer`
// has the facts around the loop. `accesses` are all accesses within it; their facts begin with
// those around it, and fact `loop` is its range. `variables` is the program's number of variables.
// Returns the first access that may touch the same cell as another, or null.
const BufferAccess* FindRace(const Prover& outer, const std::vector<BufferAccess>& accesses,
                             size_t loop, int variables);

// Returns true if `a` in one iteration of a loop and `b` in another surely touch different cells.
// The facts of both begin with those around the loop; fact `loop` is its range. Proves less than a
// Prover, in a few microseconds, but also cases that a Prover does not: loops that were fused after
// splits that do not divide, and split again.
bool DigitsTell(const BufferAccess& a, const BufferAccess& b, size_t loop);

}  // namespace schedulegym
