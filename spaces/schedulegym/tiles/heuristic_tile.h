// HeuristicTile: the tiling of a reduction by a fixed heuristic.
#pragma once

#include <optional>

#include "env/program/targets/target.h"
#include "spaces/nest_facts.h"
#include "spaces/schedulegym/tiles/tile_cost.h"
#include "spaces/schedulegym/tiles/tile_plan.h"

namespace schedulegym {

// Returns the cheapest register tile by the cost model, with outer loops in the order of least
// traffic and long reductions blocked so that a panel stays in the L2 cache. Weights are packed in
// panels, and inputs if their rows are too far apart or conflict in the L1 cache.
TilePlan HeuristicTile(const ScheduleState& state, const NestFacts& facts);
// The same; `best` caches results of earlier calls. Obeys the rules pack, layout and tails: the
// tiling omits what they forbid.
TilePlan HeuristicTile(const ScheduleState& state, const NestFacts& facts, BestTiles& best,
                       const Rules& rules = {});

// The parts of the heuristic, for plans from other sources.

// Returns spatial dimensions, outermost first, in the order of least traffic beyond the caches.
// Only the vector's dimension moves; the others keep their order.
std::vector<int> OrderOuter(const NestFacts& facts, const TilePlan& plan, const Target& target);
// Returns how many of the outer loops to fuse and run in parallel; 0 if the work is too small.
int ChooseParallel(const ScheduleState& state, const NestFacts& facts, const TilePlan& plan);
// Unrolls short reductions completely: inside the innermost loop, or around it if they decide.
void UnrollShortReductions(const NestFacts& facts, TilePlan& plan);
// PackChoices returns a panel for each operand along which the vectors or the tile move.
enum class PackKind { kWeight, kVectorInput, kBroadcastInput };
struct PackChoice {
  PackKind kind;
  PackPlan plan;
  double reuse = 1;        // reads of each element
  bool needed = false;     // without it, not contiguous along the vectors
  bool is_matrix = false;  // moves along one dimension along which others do not
  int64_t row_bytes = 0;   // distance of neighbours along the reduction
};
std::vector<PackChoice> PackChoices(const ScheduleState& state, const NestFacts& facts,
                                    const TilePlan& plan, const Rules& rules = {});

// Returns the outer loop at which to copy panels of the stage, an operand along the plan's vectors,
// because its rows conflict in the cache: with pixels of 1024 channels of 4 bytes (a page each),
// the windows of seven adjacent results read 27 pixels, and a cache of eight pages keeps eight.
// nullopt without conflicts, or if within every loop some element would be copied twice.
std::optional<int> CopyForCacheSetConflicts(const NestFacts& facts, const TilePlan& plan, int stage,
                                            const Target& target);

}  // namespace schedulegym
