// BufferAccess: one read or store of a buffer, with what is known where it happens.
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

// Whether no two iterations of a loop touch the same cell unless both only read it. `outer` knows
// what holds around the loop; `accesses` are all those within it, their facts beginning with what
// holds around it, the loop's range being the fact `loop`; `variables` is how many the program has.
// Answers with the first access that could not be told from another, or null.
const BufferAccess* FindRace(const Prover& outer, const std::vector<BufferAccess>& accesses,
                             size_t loop, int variables);

}  // namespace schedulegym
