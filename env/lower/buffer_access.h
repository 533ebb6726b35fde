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

// Whether `a` in one iteration of a loop and `b` in another surely touch different cells. The facts
// of both begin with what holds around the loop, whose range is the fact `loop`. Shows less than a
// prover, in a few microseconds, and some that it does not: loops that were fused after splits that
// do not divide, and split again.
bool DigitsTell(const BufferAccess& a, const BufferAccess& b, size_t loop);

}  // namespace schedulegym
