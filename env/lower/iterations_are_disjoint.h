// IterationsAreDisjoint: tries all iterations of a loop where a proof failed.
#pragma once

#include <cstdint>
#include <vector>

#include "env/lower/buffer_access.h"

namespace schedulegym {

// Whether no two iterations of a loop touch the same cell of the buffer of all accesses, unless
// both only read it. The accesses' facts start with those around the loop, whose range is the fact
// `loop`. Also false where trying takes more than `work`, as HoldsAtEveryPoint counts it.
bool IterationsAreDisjoint(const std::vector<BufferAccess>& accesses, size_t loop, int variables,
                           int64_t& work);

}  // namespace schedulegym
