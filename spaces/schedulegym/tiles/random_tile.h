// RandomTile: a tiling drawn at random, most often a sensible one.
#pragma once

#include "env/base/rng.h"
#include "spaces/schedulegym/tiles/best_tiles.h"
#include "spaces/schedulegym/tiles/rules.h"
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

}  // namespace schedulegym
