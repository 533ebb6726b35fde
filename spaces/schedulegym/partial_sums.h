// PartialSums: splits reductions along contiguous memory into partial results (rfactor) for vectors
// and cores.
#pragma once

#include <optional>
#include <vector>

#include "spaces/schedule_builder.h"

namespace schedulegym {

// The loop of a reduction along which partial results are computed.
struct LaneLoop {
  int stage = 0;
  int axis = 0;
  int64_t extent = 1;
};
// Returns the loop along contiguous memory of a stage of role kRow. Also of role kHeavy if at most
// half a vector of results is contiguous, as in an image of three channels, and every operand can
// be read in whole vectors along the reduction. nullopt for other stages.
std::optional<LaneLoop> FindLanes(const ScheduleState& state, int stage);

// Adds partial results for `lanes` lanes of such a loop (1 for none), and one more level for the
// cores if there are too few results and much work.
void KeepPartials(ScheduleBuilder& builder, const LaneLoop& loop, int64_t lanes);

// The divisors of an extent among which a heuristic chooses, best first: multiples of `lanes` up to
// `most`.
std::vector<int64_t> LaneChoices(int64_t extent, int64_t lanes, int64_t most);

}  // namespace schedulegym
