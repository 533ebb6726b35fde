#include "spaces/sketches/annotate.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

bool HasLoops(const Stage& stage) {
  return stage.op->kind != StageKind::kInput && stage.location != Location::kInlined;
}

// When the whole tensor is computed: where stages may stand does not depend on where they do.
int64_t WholeExtent(const Stage& stage, const StageLoop& loop) {
  return stage.nodes[loop.node].extent;
}

// Of all loops of a stage, where it stands.
std::vector<int64_t> ExtentsOf(const ScheduleState& state, int stage) {
  std::vector<int64_t> extents;
  for (const StructureStage& found : InferLoops(state).stages) {
    if (found.stage != stage) continue;
    for (const StructureLoop& loop : found.loops) extents.push_back(loop.extent);
  }
  return extents;
}

bool IsReductionLoop(const Stage& stage, const StageLoop& loop) {
  return stage.nodes[loop.node].reduction;
}

// Stages computed at a loop.
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

void AddPlacesIn(const ScheduleState& state, int target, std::vector<Place>& places) {
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
    if (WholeExtent(stage, loop) == 1) continue;
    // The first levels of a stage within another have one iteration each there.
    const bool first = !IsReductionLoop(stage, loop) && IsFirstLevel(stage, loop.node);
    if (stands_elsewhere && first) continue;
    places.push_back({target, i});
    if (!AttachedAt(state, target, i).empty()) return;
  }
}

// Around what a reader stands in.
void AddPlacesAround(const ScheduleState& state, int target, std::vector<Place>& places) {
  const Stage& stage = state.stage(target);
  for (int i = 0; i < static_cast<int>(stage.loops.size()); ++i) {
    const StageLoop& loop = stage.loops[i];
    if (IsReductionLoop(stage, loop) || loop.annotation == Annotation::kUnroll) return;
    if (!AttachedAt(state, target, i).empty()) return;
    if (WholeExtent(stage, loop) > 1) places.push_back({target, i});
  }
}

// How many loops from `offset` on run in parallel, and how many iterations they have.
struct ParallelRun {
  int loops = 0;
  int64_t iterations = 1;
};

ParallelRun FindParallel(const ScheduleState& state, int id, int offset) {
  const Stage& stage = state.stage(id);
  const std::vector<int64_t> extents = ExtentsOf(state, id);
  const int64_t most = kIterationsPerCore * state.task().target.cores;
  ParallelRun run;
  for (int i = offset; i < static_cast<int>(stage.loops.size()); ++i) {
    const StageLoop& loop = stage.loops[i];
    if (IsReductionLoop(stage, loop) || loop.annotation != Annotation::kNone) break;
    ++run.loops;
    run.iterations *= extents[i];
    if (run.iterations > most || !AttachedAt(state, id, i).empty()) break;
  }
  return run;
}

Result<ScheduleState> FuseAndAnnotate(const ScheduleState& state, int stage, int first, int count,
                                      bool vectorize) {
  ScheduleState now = state;
  if (count > 1) {
    std::vector<int> loops(count);
    std::iota(loops.begin(), loops.end(), first);
    Result<ScheduleState> fused = Apply(now, Fuse{{stage}, std::move(loops)});
    if (!fused) return fused;
    now = *std::move(fused);
  }
  if (vectorize) return Apply(now, Vectorize{{stage}, first});
  return Apply(now, Parallel{{stage}, first});
}

// Where loops of one iteration stand outside, what is inside of them is looked at, too.
Result<ScheduleState> ParallelFrom(ScheduleState state, int stage, int offset) {
  const ParallelRun run = FindParallel(state, stage, offset);
  if (run.loops == 0) return state;
  if (run.iterations == 1) {
    const int last = offset + run.loops - 1;
    for (int attached : AttachedAt(state, stage, last)) {
      Result<ScheduleState> inner = ParallelFrom(state, attached, 0);
      if (!inner) return inner;
      state = *std::move(inner);
    }
    return ParallelFrom(std::move(state), stage, last + 1);
  }
  return FuseAndAnnotate(state, stage, offset, run.loops, /*vectorize=*/false);
}

// How many of the innermost loops together make a vector.
int CountFusible(const ScheduleState& state, int id) {
  const Stage& stage = state.stage(id);
  const std::vector<int64_t> extents = ExtentsOf(state, id);
  int64_t elements = 1;
  int count = 0;
  for (int i = static_cast<int>(stage.loops.size()); i-- > 0;) {
    const StageLoop& loop = stage.loops[i];
    if (IsReductionLoop(stage, loop) || loop.annotation != Annotation::kNone) break;
    if (!AttachedAt(state, id, i).empty()) break;
    // Rows of a tile do not follow each other in memory.
    if (count > 0 && IsTiled(stage)) break;
    elements *= extents[i];
    if (elements > kMostVector) break;
    ++count;
  }
  return count;
}

Result<ScheduleState> Move(const ScheduleState& state, int stage, const std::vector<Place>& places,
                           int64_t chosen) {
  const Stage& data = state.stage(stage);
  if (chosen == 0) {
    const bool inlines = !data.op->is_reduction() && data.location == Location::kAt;
    return inlines ? Apply(state, ComputeInline{{stage}}) : state;
  }
  if (chosen == 1) {
    return data.location == Location::kRoot ? state : Apply(state, ComputeRoot{{stage}});
  }
  const Place& place = places[chosen - 2];
  return Apply(state, ComputeAt{{stage}, {place.target}, place.loop});
}

}  // namespace

bool IsTiled(const Stage& stage) { return stage.loops.size() != stage.op->axes.size(); }

std::vector<Place> PlacesFor(const ScheduleState& state, int stage) {
  std::vector<Place> places;
  const std::optional<int> reader = ReaderOf(state, stage);
  if (!reader) return places;
  AddPlacesIn(state, *reader, places);
  const Stage& target = state.stage(*reader);
  if (target.location == Location::kAt) AddPlacesAround(state, target.target, places);
  return places;
}

Result<ScheduleState> MoveStages(const ScheduleState& state, const std::vector<bool>& needs_tiles,
                                 const Decide& decide) {
  ScheduleState now = state;
  const std::vector<int> order = state.order();
  for (size_t i = order.size(); i-- > 0;) {
    const int id = order[i];
    if (!HasLoops(now.stage(id)) || IsTiled(now.stage(id)) || needs_tiles[id]) continue;
    const std::vector<Place> places = PlacesFor(now, id);
    const auto count = static_cast<int64_t>(places.size()) + 2;
    Result<ScheduleState> moved = Move(now, id, places, decide(Decision::kLocation, id, count));
    if (!moved) return moved;
    now = *std::move(moved);
  }
  return now;
}

Result<ScheduleState> RunInParallel(const ScheduleState& state) {
  ScheduleState now = state;
  for (int id : state.order()) {
    if (!HasLoops(now.stage(id)) || now.stage(id).location != Location::kRoot) continue;
    Result<ScheduleState> next = ParallelFrom(now, id, 0);
    if (!next) return next;
    now = *std::move(next);
  }
  return now;
}

Result<ScheduleState> UnrollReductions(const ScheduleState& state, const Decide& decide) {
  ScheduleState now = state;
  for (int id : state.order()) {
    const Stage& stage = now.stage(id);
    if (!HasLoops(stage) || !stage.op->is_reduction()) continue;
    const int64_t steps =
        kUnrollSteps[decide(Decision::kUnroll, id, static_cast<int64_t>(std::size(kUnrollSteps)))];
    if (steps == 0) continue;
    Result<ScheduleState> next = Apply(now, Pragma{{id}, "auto_unroll_max_step", steps});
    if (!next) return next;
    now = *std::move(next);
  }
  return now;
}

Result<ScheduleState> Vectorized(const ScheduleState& state, const Decide& decide) {
  ScheduleState now = state;
  for (int id : state.order()) {
    if (!HasLoops(now.stage(id))) continue;
    int count = CountFusible(now, id);
    if (count == 0) continue;
    // The published draw never takes all of several.
    if (count > 1) count = 1 + static_cast<int>(decide(Decision::kVector, id, count - 1));
    const int first = static_cast<int>(now.stage(id).loops.size()) - count;
    Result<ScheduleState> next = FuseAndAnnotate(now, id, first, count, /*vectorize=*/true);
    if (!next) return next;
    now = *std::move(next);
  }
  return now;
}

}  // namespace schedulegym
