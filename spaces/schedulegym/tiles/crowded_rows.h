// Crowded rows: rows of an input that a register tile reads again and again, but that the first
// cache cannot keep, for they lie at few places of pages.
#pragma once

#include <optional>

#include "env/program/targets/target.h"
#include "spaces/nest_facts.h"
#include "spaces/schedulegym/tiles/tile_plan.h"

namespace schedulegym {

// At which of the nest's outer loops panels of the stage, an operand along the plan's vectors, are
// to be copied, since its rows crowd: of pixels with 1024 channels of 4 bytes, a page each, the
// windows of seven results in a row read 27, and a cache of eight pages keeps eight. None if they
// do not crowd, or if there is no such loop within which nothing is copied twice.
std::optional<int> CopyOfCrowdedRows(const NestFacts& facts, const TilePlan& plan, int stage,
                                     const Target& target);

}  // namespace schedulegym
