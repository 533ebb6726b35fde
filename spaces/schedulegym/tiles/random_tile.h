// RandomTile: a tiling drawn at random, most often a sensible one.
#pragma once

#include "env/base/rng.h"
#include "spaces/schedulegym/tiles/tile_cost.h"
#include "spaces/schedulegym/tiles/tile_plan.h"

namespace schedulegym {

struct RandomTileOptions {
  Rules rules;
  double sensible = 0.75;         // share of draws that fit the registers
  double heuristic = 0.05;        // share of tilings that are HeuristicTile's
  int64_t most_operations = 512;  // vector operations that one unrolled body may hold
};

// `best` remembers what other draws have found out.
TilePlan RandomTile(const ScheduleState& state, const NestFacts& facts,
                    const RandomTileOptions& options, BestTiles& best, Rng& rng);

// Sizes mostly move to a neighbour: one more or less, twice or half, the next divisor. Panels of
// packed operands follow the register tile. May answer the plan itself.
TilePlan MutateTilePlan(const ScheduleState& state, const NestFacts& facts, const TilePlan& plan,
                        const RandomTileOptions& options, BestTiles& best, Rng& rng);

}  // namespace schedulegym
