// PartialSums: reductions along contiguous memory, kept as several partial results (rfactor), so
// that vectors and cores can share them.
#pragma once

#include <optional>
#include <vector>

#include "spaces/schedule_builder.h"

namespace schedulegym {

// The loop of a reduction along which partial results are kept.
struct LaneLoop {
  int stage = 0;
  int axis = 0;
  int64_t extent = 1;
};
// Of a stage of role kRow the loop along contiguous memory. Of role kHeavy, too, where results lie
// side by side in half a vector at most, as in an image of three channels, and every operand can be
// read in whole vectors along the reduction. None of others.
std::optional<LaneLoop> FindLanes(const ScheduleState& state, int stage);

// Partial results for so many lanes of such a loop, 1 for none, and one more level, for the cores,
// where there are too few results and much work.
void KeepPartials(ScheduleBuilder& builder, const LaneLoop& loop, int64_t lanes);

// The divisors of an extent that a heuristic would choose from, best first: multiples of the
// vector, at most `most`.
std::vector<int64_t> LaneChoices(int64_t extent, int64_t lanes, int64_t most);

}  // namespace schedulegym
