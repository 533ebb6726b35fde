// Packing: copies of a tiled nest's operands, in the layout of its register tile.
#pragma once

#include "spaces/schedulegym/tiles/tile_plan.h"

namespace schedulegym {

// Adds the copies of the plan for the tiled nest. Copies of inputs are vectorized where memory
// allows, and parallel where it pays. A weight's copy, at the root, is made outside of the call.
void ApplyPacks(ScheduleBuilder& builder, const NestFacts& facts, const TilePlan& plan,
                const TiledNest& nest);

}  // namespace schedulegym
