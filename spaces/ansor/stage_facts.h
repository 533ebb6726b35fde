// Stage facts: what sketch rules ask of a stage, whatever primitives have added to it.
#pragma once

#include <cstdint>
#include <optional>

#include "spaces/ansor/sketch_rule.h"

namespace schedulegym {

// The definition, by position in the DAG, whose whole computation the stage does: its own, or as
// the cache that was put before it. None for inputs, copies, and what a rfactor made or left.
std::optional<int> DefinitionOf(const ScheduleState& state, int stage);

// Reads its inputs often enough for tiles in several levels to pay (Ansor's condition: of the
// tensors read at least two, or one if it reduces, are not indexed by some spatial axis). Ansor
// sees one operation in each stage: of a whole tensor, to which several vectors are added in one
// definition, each operation reads but one of these.
bool NeedsMultiLevelTiling(const SketchFacts& facts, const ScheduleState& state, int stage);

// Takes over the computation of another stage, which copies it.
bool IsWriteCache(const ScheduleState& state, int stage);

// Products of the spatial and of the reduction axes.
struct Lengths {
  double spatial = 1;
  double reduction = 1;
};
Lengths LengthsOf(const ScheduleState& state, int stage);

}  // namespace schedulegym
