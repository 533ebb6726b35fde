// The random annotations of Ansor (Zheng et al., OSDI 2020, 4.2), in TVM's order with given choices
// kept:
// 1. compute location: of c places draw c + 2: inline, root, or a place;
// 2. parallel: fuse outer loops until 16 iterations a core, a reduction, or a stage computed there;
// 3. unroll: auto_unroll_max_step of 0, 16, 64 or 512 on each reduction;
// 4. vectorize: the innermost loops of at most `most` elements, of a tiled stage one; of count > 1
//    fusible loops 1 + below(count - 1), so never all, as in TVM.
// Cost: one inference of loops for each stage that is not at the root.
#include "spaces/ansor/annotate.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "spaces/ansor/stage_loops.h"

namespace schedulegym {
namespace {

// Number of loops from `offset` on that run in parallel, and their iterations.
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

Result<ScheduleState> FuseAndAnnotate(ScheduleState state, int stage, int first, int count,
                                      bool vectorize) {
  if (count > 1) {
    std::vector<int> loops(count);
    std::iota(loops.begin(), loops.end(), first);
    Result<ScheduleState> fused = Apply(std::move(state), Fuse{{stage}, std::move(loops)});
    if (!fused) return fused;
    state = *std::move(fused);
  }
  if (vectorize) return Apply(std::move(state), Vectorize{{stage}, first});
  return Apply(std::move(state), Parallel{{stage}, first});
}

// If the outer loops have one iteration, the stages and loops inside of them are tried, too.
Result<ScheduleState> ParallelFrom(ScheduleState state, int stage, int offset) {
  const ParallelRun run = FindParallel(state, stage, offset);
  if (run.loops == 0) return state;
  if (run.iterations == 1) {
    const int last = offset + run.loops - 1;
    for (int attached : AttachedAt(state, stage, last)) {
      Result<ScheduleState> inner = ParallelFrom(std::move(state), attached, 0);
      if (!inner) return inner;
      state = *std::move(inner);
    }
    return ParallelFrom(std::move(state), stage, last + 1);
  }
  return FuseAndAnnotate(std::move(state), stage, offset, run.loops, /*vectorize=*/false);
}

// Number of innermost loops that together make a vector of at most `most` elements.
int CountFusible(const ScheduleState& state, int id, const std::vector<int64_t>& extents,
                 int64_t most) {
  const Stage& stage = state.stage(id);
  int64_t elements = 1;
  int count = 0;
  for (int i = static_cast<int>(stage.loops.size()); i-- > 0;) {
    const StageLoop& loop = stage.loops[i];
    if (IsReductionLoop(stage, loop) || loop.annotation != Annotation::kNone) break;
    if (!AttachedAt(state, id, i).empty()) break;
    // Rows of a tile do not follow each other in memory.
    if (count > 0 && IsTiled(stage)) break;
    elements *= extents[i];
    if (elements > most) break;
    ++count;
  }
  return count;
}

Result<ScheduleState> Move(ScheduleState state, int stage, const std::vector<LoopPlace>& places,
                           int64_t chosen) {
  const Stage& data = state.stage(stage);
  if (chosen == 0) {
    const bool inlines = !data.op->is_reduction() && data.location == Location::kAt;
    if (!inlines) return state;
    return Apply(std::move(state), ComputeInline{{stage}});
  }
  if (chosen == 1) {
    if (data.location == Location::kRoot) return state;
    return Apply(std::move(state), ComputeRoot{{stage}});
  }
  const LoopPlace& place = places[chosen - 2];
  return Apply(std::move(state), ComputeAt{{stage}, {place.target}, place.loop});
}

const Trace* StepsOf(const GivenSteps& given, KnobKind kind, int stage) {
  return given ? given(kind, stage) : nullptr;
}

Result<ScheduleState> MoveStage(ScheduleState state, int id, const Decide& decide,
                                const GivenSteps& given) {
  if (const Trace* steps = StepsOf(given, KnobKind::kLocation, id)) {
    return ApplyAll(std::move(state), *steps);
  }
  const std::vector<LoopPlace> places = PlacesFor(state, id);
  const auto count = static_cast<int64_t>(places.size()) + 2;
  const int64_t chosen = decide(KnobKind::kLocation, id, count);
  return Move(std::move(state), id, places, chosen);
}

}  // namespace

Result<ScheduleState> ApplyAll(ScheduleState state, const Trace& steps) {
  for (const Primitive& step : steps) {
    Result<ScheduleState> next = Apply(std::move(state), step);
    if (!next) return next;
    state = *std::move(next);
  }
  return state;
}

std::span<const int64_t> UnrollStepsOf(const Target& target) {
  if (target.IsGpu()) return kGpuUnrollSteps;
  return kUnrollSteps;
}

Result<ScheduleState> MoveStages(ScheduleState now, const std::vector<bool>& needs_tiles,
                                 const Decide& decide, const GivenSteps& given) {
  const std::vector<int> order = now.order();
  for (size_t i = order.size(); i-- > 0;) {
    const int id = order[i];
    if (!HasLoops(now.stage(id)) || IsTiled(now.stage(id)) || needs_tiles[id]) continue;
    Result<ScheduleState> moved = MoveStage(std::move(now), id, decide, given);
    if (!moved) return moved;
    now = *std::move(moved);
  }
  return now;
}

Result<ScheduleState> VectorizeGiven(ScheduleState now, const std::vector<bool>& placed,
                                     int64_t most, const GivenSteps& given) {
  const std::vector<int> order = now.order();
  for (int id : order) {
    const Trace* steps = StepsOf(given, KnobKind::kVector, id);
    if (steps == nullptr || steps->empty()) continue;
    if (placed[id] && ExtentsOf(now, id).back() > most) continue;
    const int last = static_cast<int>(now.stage(id).loops.size()) - 1;
    Result<ScheduleState> next = Apply(std::move(now), Vectorize{{id}, last});
    if (!next) return next;
    now = *std::move(next);
  }
  return now;
}

Result<ScheduleState> RunInParallel(ScheduleState now, const GivenSteps& given) {
  const std::vector<int> order = now.order();
  for (int id : order) {
    const Trace* steps = StepsOf(given, KnobKind::kParallel, id);
    const bool is_at_root = HasLoops(now.stage(id)) && now.stage(id).location == Location::kRoot;
    if (steps == nullptr && !is_at_root) continue;
    Result<ScheduleState> next =
        steps != nullptr ? ApplyAll(std::move(now), *steps) : ParallelFrom(std::move(now), id, 0);
    if (!next) return next;
    now = *std::move(next);
  }
  return now;
}

Result<ScheduleState> UnrollReductions(ScheduleState now, const Decide& decide,
                                       const GivenSteps& given) {
  const std::vector<int> order = now.order();
  const std::span<const int64_t> choices = UnrollStepsOf(now.task().target);
  for (int id : order) {
    const Stage& stage = now.stage(id);
    if (!HasLoops(stage) || !stage.op->is_reduction()) continue;
    const Trace* known = StepsOf(given, KnobKind::kUnroll, id);
    const int64_t steps =
        known != nullptr
            ? 0
            : choices[decide(KnobKind::kUnroll, id, static_cast<int64_t>(choices.size()))];
    if (known == nullptr && steps == 0) continue;
    Result<ScheduleState> next =
        known != nullptr ? ApplyAll(std::move(now), *known)
                         : Apply(std::move(now), Pragma{{id}, "auto_unroll_max_step", steps});
    if (!next) return next;
    now = *std::move(next);
  }
  return now;
}

Result<ScheduleState> Vectorized(ScheduleState now, const Decide& decide, const GivenSteps& given,
                                 int64_t most) {
  // Loops before vectorization: the vectors of other stages do not change those of a stage.
  const LoopStructure structure = InferLoops(now);
  const std::vector<int> order = now.order();
  for (int id : order) {
    if (!HasLoops(now.stage(id)) || StepsOf(given, KnobKind::kVector, id) != nullptr) continue;
    int count = CountFusible(now, id, ExtentsOf(structure, id), most);
    if (count == 0) continue;
    // The published draw never takes all of several.
    if (count > 1) count = 1 + static_cast<int>(decide(KnobKind::kVector, id, count - 1));
    const int first = static_cast<int>(now.stage(id).loops.size()) - count;
    Result<ScheduleState> next =
        FuseAndAnnotate(std::move(now), id, first, count, /*vectorize=*/true);
    if (!next) return next;
    now = *std::move(next);
  }
  return now;
}

}  // namespace schedulegym
