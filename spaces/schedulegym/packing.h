// Packing: copies of what a tiled nest reads, laid out in the panels of its register tile.
#pragma once

#include "spaces/schedulegym/tiles/tile_plan.h"

namespace schedulegym {

// Adds the copies that the plan asks for, for the nest as tiled; those of inputs are vectorized
// where memory allows, and parallel where it pays. A weight's, at the root, is made outside of the
// call.
void ApplyPacks(ScheduleBuilder& builder, const NestFacts& facts, const TilePlan& plan,
                const TiledNest& nest);

}  // namespace schedulegym
