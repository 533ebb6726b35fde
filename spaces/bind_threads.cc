#include "spaces/bind_threads.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "env/schedule/loop_structure.h"
#include "env/schedule/thread_scope.h"

namespace schedulegym {
namespace {

bool HasLoops(const Stage& stage) {
  return stage.op->kind != StageKind::kInput && stage.location != Location::kInlined;
}

bool IsTiled(const Stage& stage) { return !stage.relations.empty(); }

std::vector<int> Positions(int first, int count) {
  std::vector<int> positions(count);
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

Result<ScheduleState> FuseTo(ScheduleState state, int stage, int first, int count) {
  if (count == 1) return state;
  return Apply(std::move(state), Fuse{{stage}, Positions(first, count)});
}

// Fuses each level of the tiled nest into one loop and binds it.
Result<ScheduleState> BindLevels(ScheduleState state, int stage) {
  constexpr Annotation kLevels[] = {Annotation::kBlockX, Annotation::kVthread,
                                    Annotation::kThreadX};
  const int axes = state.stage(stage).op->spatial;
  for (int level = 0; level < 3; ++level) {
    Result<ScheduleState> fused = FuseTo(std::move(state), stage, level, axes);
    if (!fused) return fused;
    Result<ScheduleState> bound = Apply(*std::move(fused), Bind{{stage}, level, kLevels[level]});
    if (!bound) return bound;
    state = *std::move(bound);
  }
  return state;
}

bool IsAttachedAt(const ScheduleState& state, int target, int node) {
  return std::ranges::any_of(state.stages(), [&](const StagePtr& stage) {
    return stage->location == Location::kAt && stage->target == target &&
           stage->target_node == node;
  });
}

// Number of outer spatial loops before a reduction, or up to one at which a stage is computed.
int OuterSpatialLoops(const ScheduleState& state, int id) {
  const Stage& stage = state.stage(id);
  int count = 0;
  for (const StageLoop& loop : stage.loops) {
    if (stage.nodes[loop.node].reduction || loop.annotation != Annotation::kNone) break;
    ++count;
    if (IsAttachedAt(state, id, loop.node)) break;
  }
  return count;
}

bool IsOn(const Stage& stage, const StageLoop& loop, Annotation axis, bool reduction) {
  return loop.annotation == axis && stage.nodes[loop.node].reduction == reduction;
}

bool SharesSum(const Stage& stage) {
  return std::ranges::any_of(stage.loops, [&](const StageLoop& loop) {
    return IsOn(stage, loop, Annotation::kThreadX, /*reduction=*/true);
  });
}

// Whether threads share a sum of the stage, or of a stage that is computed at its loops.
bool IsBlockEach(const ScheduleState& state, int id) {
  if (SharesSum(state.stage(id))) return true;
  return std::ranges::any_of(state.stages(), [&](const StagePtr& other) {
    return other->location == Location::kAt && other->target == id && SharesSum(*other);
  });
}

int64_t OuterIterations(const ScheduleState& state, int id) {
  const Stage& stage = state.stage(id);
  int64_t iterations = 1;
  for (int i = OuterSpatialLoops(state, id); i-- > 0;) {
    iterations *= stage.nodes[stage.loops[i].node].extent;
  }
  return iterations;
}

Result<ScheduleState> BindOuterLoops(ScheduleState state, int id) {
  const int count = OuterSpatialLoops(state, id);
  if (count == 0) return state;
  if (IsBlockEach(state, id)) {
    Result<ScheduleState> fused = FuseTo(std::move(state), id, 0, count);
    return fused ? Apply(*std::move(fused), Bind{{id}, 0, Annotation::kBlockX}) : fused;
  }
  const Trace steps = InBlocks(state, id, state.task().target.gpu.warp);
  Result<ScheduleState> bound = std::move(state);
  for (const Primitive& step : steps) {
    if (bound) bound = Apply(*std::move(bound), step);
  }
  return bound;
}

// The steps that cut the spatial axes of a tiled stage, in order of axes.
std::vector<int> SpatialSplits(const ScheduleState& state, int id) {
  const auto count = static_cast<size_t>(state.stage(id).op->spatial);
  std::vector<int> steps;
  for (int i = 0; i < state.trace_size() && steps.size() < count; ++i) {
    const auto* split = std::get_if<Split>(&state.step(i));
    if (split && split->stage.id == id) steps.push_back(i);
  }
  return steps;
}

// Cooperative fetching as published (TVM 0.16, InitThreadBind).
Result<ScheduleState> FetchTogether(ScheduleState state, int copy) {
  constexpr int kThreadLevel = 1;  // position among the lengths after the blocks
  const std::vector<StageLoop>& loops = state.stage(copy).loops;
  const int vectors = loops.back().annotation == Annotation::kVectorize ? 1 : 0;
  const std::vector<int> splits = SpatialSplits(state, state.stage(copy).target);
  const int count = static_cast<int>(loops.size()) - vectors;
  Result<ScheduleState> made = FuseTo(std::move(state), copy, 0, count);
  if (made) {
    made = Apply(*std::move(made), FollowFusedSplit{{copy}, 0, splits, kThreadLevel, true});
  }
  return made ? Apply(*std::move(made), Bind{{copy}, 1, Annotation::kThreadX}) : made;
}

Result<ScheduleState> BindStage(ScheduleState state, int id) {
  const Stage& stage = state.stage(id);
  if (IsSharedCopy(state, id)) return FetchTogether(std::move(state), id);
  if (stage.location != Location::kRoot) return state;
  const bool is_block_each = IsBlockEach(state, id);
  if (HasLoopOfThreads(stage) && !is_block_each) return state;
  const bool has_levels = IsTiled(stage) && !is_block_each;
  return has_levels ? BindLevels(std::move(state), id) : BindOuterLoops(std::move(state), id);
}

// Walks a trace backwards. BindThreads cuts, fuses and binds spatial loops alone: rules make the
// steps on reductions.
class BindingSteps {
 public:
  explicit BindingSteps(const ScheduleState& state) : state_(state) {
    for (const StagePtr& stage : state.stages()) relations_.push_back(stage->relations.size());
  }

  // Whether BindThreads could have made the step before those taken so far.
  bool Takes(const Primitive& step) {
    if (const auto* bind = std::get_if<Bind>(&step)) return !IsOfSum(*bind);
    if (const auto* fuse = std::get_if<Fuse>(&step)) return !CutsSum(fuse->stage.id);
    if (const auto* split = std::get_if<Split>(&step)) return !CutsSum(split->stage.id);
    const auto* follow = std::get_if<FollowFusedSplit>(&step);
    return follow && !CutsSum(follow->stage.id);
  }

 private:
  bool IsOfSum(const Bind& bind) const {
    const Stage& stage = state_.stage(bind.stage.id);
    return std::ranges::any_of(stage.loops, [&](const StageLoop& loop) {
      return IsOn(stage, loop, bind.thread, /*reduction=*/true);
    });
  }

  // Whether the step, which has made one relation, cut a reduction.
  bool CutsSum(int id) {
    const Stage& stage = state_.stage(id);
    const Relation& relation = stage.relations.at(--relations_[id]);
    const auto* split = std::get_if<SplitRelation>(&relation);
    return stage.nodes[split ? split->parent : std::get<FuseRelation>(relation).child].reduction;
  }

  const ScheduleState& state_;
  std::vector<size_t> relations_;  // by stage: number of relations of the remaining steps
};

// The launch of one kernel.
struct Launch {
  int64_t threads = 1;
  int64_t vthreads = 1;
  int64_t points = 1;  // of the kernel's spatial loops
};

// For each stage, the stage at the root in which it is computed.
std::vector<int> RootsOf(const ScheduleState& state, const LoopStructure& structure) {
  std::vector<int> roots(state.size());
  for (size_t i = structure.stages.size(); i-- > 0;) {
    const StructureStage& nest = structure.stages[i];
    roots[nest.stage] = nest.parent < 0 ? nest.stage : roots[nest.parent];
  }
  return roots;
}

// Bytes that a block shares, over all stages within a root, without reuse of memory.
int64_t SharedBytes(const ScheduleState& state, const LoopStructure& structure, int root) {
  const std::vector<int> root_of = RootsOf(state, structure);
  int64_t bytes = 0;
  for (const StructureStage& nest : structure.stages) {
    if (root_of[nest.stage] != root || !IsForBlock(state, nest.stage)) continue;
    int64_t own = SizeInBytes(state.stage(nest.stage).op->type);
    for (const int64_t extent : nest.region) own *= extent;
    bytes += own;
  }
  return bytes;
}

// Bytes of the widest vector in a nest.
int64_t VectorBytes(const ScheduleState& state, const StructureStage& nest) {
  const StructureLoop& last = nest.loops.back();
  if (last.annotation != Annotation::kVectorize) return 0;
  return last.extent * SizeInBytes(state.stage(nest.stage).op->type);
}

// Loops on one axis of a kernel, of all its stages, are the same threads.
Launch LaunchOf(const ScheduleState& state, const LoopStructure& structure, int root) {
  Launch launch;
  std::map<Annotation, int64_t> axes;
  const std::vector<int> root_of = RootsOf(state, structure);
  for (const StructureStage& nest : structure.stages) {
    if (root_of[nest.stage] != root) continue;
    for (const StructureLoop& loop : nest.loops) {
      if (loop.annotation == Annotation::kVthread && nest.stage == root)
        launch.vthreads *= loop.extent;
      if (loop.annotation >= Annotation::kThreadX) {
        axes[loop.annotation] = std::max(axes[loop.annotation], loop.extent);
      }
    }
  }
  for (const auto& [axis, extent] : axes) launch.threads *= extent;
  const Stage& stage = state.stage(root);
  for (int axis = 0; axis < stage.op->spatial; ++axis) launch.points *= stage.op->axes[axis].extent;
  return launch;
}

Error Found(const ScheduleState& state, int stage, int64_t found, const std::string& what,
            const std::string& expected) {
  return Illegal(state.stage(stage).op->name + ": found " + std::to_string(found) + " " + what +
                 ", expected " + expected);
}

}  // namespace

Result<ScheduleState> BindThreads(ScheduleState state) {
  const std::vector<int> order = state.order();
  for (size_t i = order.size(); i-- > 0;) {
    const int id = order[i];
    const Stage& stage = state.stage(id);
    if (!HasLoops(stage)) continue;
    Result<ScheduleState> bound = BindStage(std::move(state), id);
    if (!bound) return bound;
    state = *std::move(bound);
  }
  return state;
}

bool HasLoopOfThreads(const Stage& stage) {
  return std::ranges::any_of(
      stage.loops, [](const StageLoop& loop) { return loop.annotation == Annotation::kThreadX; });
}

bool IsSharedCopy(const ScheduleState& state, int id) {
  const Stage& stage = state.stage(id);
  return stage.op->kind == StageKind::kCache && stage.op->scope == MemoryScope::kShared &&
         stage.location == Location::kAt && IsTiled(state.stage(stage.target));
}

Trace CopyInVectors(const ScheduleState& state, int copy, int64_t elements) {
  Trace steps;
  const int count = static_cast<int>(state.stage(copy).loops.size());
  if (count > 1) steps.push_back(Fuse{{copy}, Positions(0, count)});
  steps.push_back(Split{{copy}, 0, {elements}});
  steps.push_back(Vectorize{{copy}, 1});
  return steps;
}

std::vector<int64_t> BlockSizes(const Target& target, int64_t extent, int64_t most_warps) {
  const int64_t warp = target.gpu.warp;
  const int64_t most = std::min({extent, int64_t{target.gpu.threads}, most_warps * warp});
  std::vector<int64_t> sizes;
  if (extent <= warp) return sizes;
  for (int64_t threads = warp; threads <= most; threads *= 2) sizes.push_back(threads);
  return sizes;
}

int64_t IterationsOfBlocks(const ScheduleState& state, int id) {
  const Stage& stage = state.stage(id);
  const bool is_open = HasLoops(stage) && stage.location == Location::kRoot && !IsTiled(stage) &&
                       !IsBlockEach(state, id) && OuterSpatialLoops(state, id) > 0;
  return is_open ? OuterIterations(state, id) : 0;
}

Trace InBlocks(const ScheduleState& state, int id, int64_t threads) {
  Trace steps;
  const int count = OuterSpatialLoops(state, id);
  if (count > 1) steps.push_back(Fuse{{id}, Positions(0, count)});
  if (OuterIterations(state, id) <= state.task().target.gpu.warp) {
    steps.push_back(Bind{{id}, 0, Annotation::kThreadX});
    return steps;
  }
  steps.push_back(Split{{id}, 0, {threads}});
  steps.push_back(Bind{{id}, 0, Annotation::kBlockX});
  steps.push_back(Bind{{id}, 1, Annotation::kThreadX});
  return steps;
}

std::vector<RootBlocks> BlocksOf(const ScheduleState& state) {
  std::vector<RootBlocks> blocks;
  for (const int id : state.order()) {
    const Stage& stage = state.stage(id);
    const size_t made = stage.relations.size();
    const bool is_fused = made == 2 && std::holds_alternative<FuseRelation>(stage.relations[0]);
    if (stage.location != Location::kRoot || (made != 1 && !is_fused)) continue;
    const auto* split = std::get_if<SplitRelation>(&stage.relations.back());
    if (!split || split->lengths.size() != 1 || stage.loops.size() < 2) continue;
    const bool is_bound = stage.loops[0] == StageLoop{split->first_child, Annotation::kBlockX} &&
                          stage.loops[1] == StageLoop{split->first_child + 1, Annotation::kThreadX};
    if (!is_bound || IsBlockEach(state, id)) continue;
    blocks.push_back({id, stage.nodes[split->parent].extent, split->lengths[0]});
  }
  return blocks;
}

Trace WithoutBindings(const ScheduleState& state) {
  Trace trace = state.trace();
  size_t end = trace.size();
  bool binds = false;
  BindingSteps steps(state);
  while (end > 0 && steps.Takes(trace[end - 1])) {
    --end;
    binds = binds || std::holds_alternative<Bind>(trace[end]);
  }
  if (binds) trace.resize(end);
  return trace;
}

Result<void> CheckLaunch(const ScheduleState& state) {
  const GpuFacts& gpu = state.task().target.gpu;
  const LoopStructure structure = InferLoops(state);
  for (const StructureStage& nest : structure.stages) {
    if (const int64_t bytes = VectorBytes(state, nest); bytes > gpu.vector_bytes) {
      return Found(state, nest.stage, bytes, "bytes of a vector",
                   "at most " + std::to_string(gpu.vector_bytes));
    }
    if (nest.parent >= 0) continue;
    const int64_t shared = SharedBytes(state, structure, nest.stage);
    if (shared > gpu.shared_bytes) {
      return Found(state, nest.stage, shared, "shared bytes",
                   "at most " + std::to_string(gpu.shared_bytes));
    }
    const Launch launch = LaunchOf(state, structure, nest.stage);
    if (launch.threads > gpu.threads) {
      return Found(state, nest.stage, launch.threads, "threads",
                   "at most " + std::to_string(gpu.threads));
    }
    if (launch.vthreads > gpu.vthreads) {
      return Found(state, nest.stage, launch.vthreads, "virtual threads",
                   "at most " + std::to_string(gpu.vthreads));
    }
    if (launch.threads < gpu.warp && launch.points > 2 * int64_t{gpu.warp}) {
      return Found(state, nest.stage, launch.threads, "threads",
                   "a warp of " + std::to_string(gpu.warp) + " at least");
    }
  }
  return {};
}

}  // namespace schedulegym
