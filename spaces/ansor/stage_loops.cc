// Where Ansor may compute a stage, as TVM's rule that changes compute locations has it: loops of
// its one reader, or of the root stage that all readers share, outside in, until a reduction (of an
// untiled reader), a spatial loop after one, an unrolled loop, or a loop where a stage stands
// already, included; loops of extent 1 and, in readers computed elsewhere, first levels are
// skipped. Then loops around, if the reader is computed at another stage. Cost: O(loops * stages).
#include "spaces/ansor/stage_loops.h"

#include <algorithm>
#include <optional>

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

bool HasLoops(const Stage& stage) {
  return stage.op->kind != StageKind::kInput && stage.location != Location::kInlined;
}

bool IsTiled(const Stage& stage) { return stage.loops.size() != stage.op->axes.size(); }

bool IsReductionLoop(const Stage& stage, const StageLoop& loop) {
  return stage.nodes[loop.node].reduction;
}

std::vector<int64_t> ExtentsOf(const ScheduleState& state, int stage) {
  const Stage& data = state.stage(stage);
  if (data.location != Location::kRoot) return ExtentsOf(InferLoops(state), stage);
  std::vector<int64_t> extents;
  for (const StageLoop& loop : data.loops) extents.push_back(data.nodes[loop.node].extent);
  return extents;
}

std::vector<int64_t> ExtentsOf(const LoopStructure& structure, int stage) {
  std::vector<int64_t> extents;
  for (const StructureStage& found : structure.stages) {
    if (found.stage != stage) continue;
    for (const StructureLoop& loop : found.loops) extents.push_back(loop.extent);
  }
  return extents;
}

std::vector<int> AttachedAt(const ScheduleState& state, int target, int loop) {
  const int node = state.stage(target).loops[loop].node;
  std::vector<int> attached;
  for (int id : state.order()) {
    const Stage& stage = state.stage(id);
    if (stage.location != Location::kAt || stage.target != target) continue;
    if (stage.target_node == node) attached.push_back(id);
  }
  return attached;
}

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
