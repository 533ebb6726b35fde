#include "spaces/ansor/loop_place.h"

#include <algorithm>
#include <optional>

#include "spaces/ansor/stage_loops.h"

namespace schedulegym {
namespace {

// Extents are those of the whole tensor: where stages may stand does not depend on where they do.
bool IsLeftOut(const Stage& stage, const StageLoop& loop, PlaceFilter filter) {
  return filter == PlaceFilter::kLongerThanOne && stage.nodes[loop.node].extent == 1;
}

// The outermost part of a split axis.
bool IsFirstLevel(const Stage& stage, int node) {
  return std::any_of(stage.relations.begin(), stage.relations.end(), [&](const Relation& relation) {
    const auto* split = std::get_if<SplitRelation>(&relation);
    return split && split->first_child == node;
  });
}

// The one reader; of several, the stage at the root that all of them stand in or are.
std::optional<int> ReaderOf(const ScheduleState& state, int stage) {
  const std::vector<int> readers = state.Consumers(stage);
  if (readers.size() == 1) return readers[0];
  std::optional<int> common;
  for (int reader : readers) {
    const Stage& data = state.stage(reader);
    const int root = data.location == Location::kAt ? data.target : reader;
    if (common && *common != root) return std::nullopt;
    common = root;
  }
  return common;
}

void AddPlacesIn(const ScheduleState& state, int target, PlaceFilter filter,
                 std::vector<LoopPlace>& places) {
  const Stage& stage = state.stage(target);
  const bool stands_elsewhere = stage.location == Location::kAt;
  bool in_reduction = false;
  for (int i = 0; i < static_cast<int>(stage.loops.size()); ++i) {
    const StageLoop& loop = stage.loops[i];
    if (IsReductionLoop(stage, loop)) {
      in_reduction = true;
      if (!IsTiled(stage)) return;
    } else if (in_reduction) {
      return;
    }
    if (loop.annotation == Annotation::kUnroll) return;
    if (IsLeftOut(stage, loop, filter)) continue;
    // The first levels of a stage within another have one iteration each there.
    const bool first = !IsReductionLoop(stage, loop) && IsFirstLevel(stage, loop.node);
    if (stands_elsewhere && first) continue;
    places.push_back({target, i});
    if (!AttachedAt(state, target, i).empty()) return;
  }
}

// Around what a reader stands in.
void AddPlacesAround(const ScheduleState& state, int target, PlaceFilter filter,
                     std::vector<LoopPlace>& places) {
  const Stage& stage = state.stage(target);
  for (int i = 0; i < static_cast<int>(stage.loops.size()); ++i) {
    const StageLoop& loop = stage.loops[i];
    if (IsReductionLoop(stage, loop) || loop.annotation == Annotation::kUnroll) return;
    if (!AttachedAt(state, target, i).empty()) return;
    if (!IsLeftOut(stage, loop, filter)) places.push_back({target, i});
  }
}

}  // namespace

std::vector<LoopPlace> PlacesFor(const ScheduleState& state, int stage, PlaceFilter filter) {
  std::vector<LoopPlace> places;
  const std::optional<int> reader = ReaderOf(state, stage);
  if (!reader) return places;
  AddPlacesIn(state, *reader, filter, places);
  const Stage& target = state.stage(*reader);
  if (target.location == Location::kAt) AddPlacesAround(state, target.target, filter, places);
  return places;
}

}  // namespace schedulegym
