// MutateTile: a tiling with one of its decisions made anew.
#pragma once

#include "env/base/rng.h"
#include "spaces/schedulegym/tiles/random_tile.h"

namespace schedulegym {

// Sizes mostly move to a neighbour: one more or less, twice or half, the next divisor. Panels of
// packed operands follow the register tile. May answer the plan itself.
TilePlan MutateTilePlan(const ScheduleState& state, const NestFacts& facts, const TilePlan& plan,
                        const RandomTileOptions& options, BestTiles& best, Rng& rng);

}  // namespace schedulegym
