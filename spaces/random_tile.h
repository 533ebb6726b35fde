// RandomTile: a tiling drawn at random, most often a sensible one.
#pragma once

#include "env/base/rng.h"
#include "spaces/tile_plan.h"

namespace schedulegym {

struct RandomTileOptions {
  bool pack = true;               // whether inputs and weights may be packed
  double sensible = 0.75;         // share of draws that fit the registers
  int64_t most_operations = 512;  // vector operations that one unrolled body may hold
};

TilePlan RandomTile(const ScheduleState& state, const NestFacts& facts,
                    const RandomTileOptions& options, Rng& rng);

}  // namespace schedulegym
