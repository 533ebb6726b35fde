// HeuristicTile: the tiling that a fixed heuristic gives a reduction.
#pragma once

#include <optional>

#include "env/program/targets/target.h"
#include "spaces/nest_facts.h"
#include "spaces/schedulegym/tiles/tile_cost.h"
#include "spaces/schedulegym/tiles/tile_plan.h"

namespace schedulegym {

// The cheapest register tile by its cost model, outer loops in the order of least traffic, long
// reductions blocked so that a panel stays in the second cache, weights in panels, inputs where
// rows lie too far apart or would crowd in the first cache.
TilePlan HeuristicTile(const ScheduleState& state, const NestFacts& facts);
// The same; `best` remembers what others have found out. Of the rules pack, layout and tails are
// kept: what they forbid is left out of the tiling.
TilePlan HeuristicTile(const ScheduleState& state, const NestFacts& facts, BestTiles& best,
                       const Rules& rules = {});

// The pieces, for plans made otherwise.

// Spatial dimensions, outermost first, so that least is read from beyond the caches: the vector's
// dimension stands wherever that is, the others keep their order.
std::vector<int> OrderOuter(const NestFacts& facts, const TilePlan& plan, const Target& target);
// How many of the outer loops are to be fused and parallel; 0 where the work is too small.
int ChooseParallel(const ScheduleState& state, const NestFacts& facts, const TilePlan& plan);
// Reductions that are unrolled whole inside the innermost loop, or around it where they decide.
void UnrollShortReductions(const NestFacts& facts, TilePlan& plan);
// A panel for each operand that the vectors or the tile move along.
enum class PackKind { kWeight, kVectorInput, kBroadcastInput };
struct PackChoice {
  PackKind kind;
  PackPlan plan;
  double reuse = 1;        // reads of each element
  bool needed = false;     // not contiguous along the vectors otherwise
  bool is_matrix = false;  // moves along one dimension that others do not
  int64_t row_bytes = 0;   // distance of neighbours along the reduction
};
std::vector<PackChoice> PackChoices(const ScheduleState& state, const NestFacts& facts,
                                    const TilePlan& plan, const Rules& rules = {});

// At which of the nest's outer loops panels of the stage, an operand along the plan's vectors, are
// to be copied, since its rows crowd: of pixels with 1024 channels of 4 bytes, a page each, the
// windows of seven results in a row read 27, and a cache of eight pages keeps eight. None if they
// do not crowd, or if there is no such loop within which nothing is copied twice.
std::optional<int> CopyForCacheSetConflicts(const NestFacts& facts, const TilePlan& plan, int stage,
                                            const Target& target);

}  // namespace schedulegym
