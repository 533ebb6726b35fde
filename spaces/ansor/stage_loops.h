// StageLoops: queries on the loops of a stage and its compute locations, for annotations.
#pragma once

#include <cstdint>
#include <vector>

#include "env/schedule/loop_structure.h"
#include "env/schedule/state.h"

namespace schedulegym {

// True if the stage is neither an input nor inlined.
bool HasLoops(const Stage& stage);

// True if loops of the stage were split or fused.
bool IsTiled(const Stage& stage);

bool IsReductionLoop(const Stage& stage, const StageLoop& loop);

// Extents of all loops of a stage at its compute location.
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

// Loops of one iteration are omitted once tile lengths are set; before, every loop has one.
enum class PlaceFilter { kLongerThanOne, kAll };

// Places, other than the root, where Ansor may compute an untiled stage: loops of its reader (or of
// the stage that contains all readers), from the outermost inward up to the first reduction,
// unrolled loop or other stage.
std::vector<LoopPlace> PlacesFor(const ScheduleState& state, int stage,
                                 PlaceFilter filter = PlaceFilter::kLongerThanOne);

}  // namespace schedulegym
