// PartialSums: reductions along contiguous memory, kept as several partial results (rfactor), so
// that vectors and cores can share them.
#pragma once

#include "spaces/advice.h"
#include "spaces/draft.h"

namespace schedulegym {

// For every reduction of role kRow: partial results for the lanes that are advised, and one more
// level, for the cores, where there are too few results and much work.
void KeepPartialSums(Draft& draft, Advice& advice);

// The divisors of an extent that a heuristic would choose from, best first: multiples of the
// vector, at most `most`.
std::vector<int64_t> LaneChoices(int64_t extent, int64_t lanes, int64_t most);

}  // namespace schedulegym
