// IterationsAreDisjoint: tries all iterations of a loop where a proof did not tell whether two of
// them meet.
#pragma once

#include <cstdint>
#include <vector>

#include "env/lower/buffer_access.h"

namespace schedulegym {

// Whether no two iterations of a loop touch the same cell of the one buffer that all accesses are
// of, unless both only read it. The accesses' facts begin with what holds around the loop, whose
// range is the fact `loop`. False, too, where trying takes more than `work`, as HoldsAtEveryPoint
// counts it.
bool IterationsAreDisjoint(const std::vector<BufferAccess>& accesses, size_t loop, int variables,
                           int64_t& work);

}  // namespace schedulegym
