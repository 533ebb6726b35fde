// Stage loops and places: what annotations ask of the loops of a stage.
#pragma once

#include <cstdint>
#include <vector>

#include "env/schedule/loop_structure.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Neither an input nor inlined.
bool HasLoops(const Stage& stage);

// Loops were split or fused since the stage began.
bool IsTiled(const Stage& stage);

bool IsReductionLoop(const Stage& stage, const StageLoop& loop);

// Of all loops of a stage, where it stands.
std::vector<int64_t> ExtentsOf(const ScheduleState& state, int stage);
std::vector<int64_t> ExtentsOf(const LoopStructure& structure, int stage);

// Stages that are computed at a loop, producers before consumers.
std::vector<int> AttachedAt(const ScheduleState& state, int target, int loop);

// A loop of another stage at which a stage may be computed.
struct LoopPlace {
  int target = 0;
  int loop = 0;

  bool operator==(const LoopPlace&) const = default;
};

// Loops of one iteration are left out once tiles have their lengths; before, all have one.
enum class PlaceFilter { kLongerThanOne, kAll };

// Where Ansor would compute a stage that it has not tiled, beside the root: loops of its reader (or
// of what all readers stand in), from the outside, as far as no reduction, unrolled loop or other
// stage stands in the way.
std::vector<LoopPlace> PlacesFor(const ScheduleState& state, int stage,
                                 PlaceFilter filter = PlaceFilter::kLongerThanOne);

}  // namespace schedulegym
