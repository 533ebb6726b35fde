// RandomTile: random tilings, most of which fit the registers.
#pragma once

#include "env/base/rng.h"
#include "spaces/schedulegym/tiles/tile_cost.h"
#include "spaces/schedulegym/tiles/tile_plan.h"

namespace schedulegym {

struct RandomTileOptions {
  Rules rules;
  double sensible = 0.75;         // share of samples that fit the registers
  double heuristic = 0.05;        // share of tilings that are HeuristicTile's
  int64_t most_operations = 512;  // largest number of vector operations in one unrolled body
};

// Samples a tiling. `best` caches results of earlier calls.
TilePlan RandomTile(const ScheduleState& state, const NestFacts& facts,
                    const RandomTileOptions& options, BestTiles& best, Rng& rng);

// Mutates a tiling. Sizes mostly move to a neighbour: one more or less, twice or half, the next
// divisor. Panels of packed operands follow the register tile. May return the plan unchanged.
TilePlan MutateTilePlan(const ScheduleState& state, const NestFacts& facts, const TilePlan& plan,
                        const RandomTileOptions& options, BestTiles& best, Rng& rng);

}  // namespace schedulegym
