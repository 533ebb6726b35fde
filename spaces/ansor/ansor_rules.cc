// Ansor's sketch rules (Zheng et al., OSDI 2020, table 1; TVM's sketch_policy_rules.cc), tried in
// this order on one stage: cache_read (GPUs alone), inline, rfactor (CPUs alone), cross_thread
// (GPUs alone), cache_write, tile_and_fuse, tile, skip. Tiles of CPUs have the structure SSRSRS:
// four levels of each spatial axis, two of each reduction; a reader is fused after the first or the
// second spatial level. rfactor applies to tiled stages if spatial <= reduction lengths and spatial
// <= 16 a core, to others if the reduction exceeds the cores; it makes two sketches, of the outer
// and of the inner part. Cost: a few primitives a rule.
#include "spaces/ansor/ansor_rules.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "env/base/check.h"
#include "spaces/bind_threads.h"
#include "spaces/roles.h"

namespace schedulegym {
namespace {

// rfactor of a tiled stage needs at most so many results for each core, and no more than it
// reduces.
constexpr double kPiecesPerCore = 16;

ScheduleState Applied(const ScheduleState& state, const Primitive& primitive) {
  Result<ScheduleState> next = Apply(state, primitive);
  SG_CHECK(next.ok(), "a rule's step is legal: " + next.error().message);
  return *std::move(next);
}

Derivation MovedOn(const Derivation& now, ScheduleState state) {
  Derivation next = now;
  next.state = std::move(state);
  --next.position;
  return next;
}

// --- cache_read ---

// Position of the last loop in the first level of reduction tiles; nullopt if there is none.
std::optional<int> LastOuterReduction(const ScheduleState& state, int id) {
  const Stage& stage = state.stage(id);
  if (stage.is_fresh()) return std::nullopt;
  const int reductions = static_cast<int>(stage.op->axes.size()) - stage.op->spatial;
  for (int i = 0; i < static_cast<int>(stage.loops.size()) && reductions > 0; ++i) {
    if (stage.nodes[stage.loops[i].node].reduction) return i + reductions - 1;
  }
  return std::nullopt;
}

// Readers that get their tiles of the stage through shared memory; empty if the first does not.
std::vector<int> TiledReaders(const SketchFacts& facts, const Derivation& now) {
  std::vector<int> tiled;
  for (const int reader : now.state.Consumers(now.stage())) {
    const bool is_direct =
        std::ranges::any_of(now.state.stage(reader).op->reads,
                            [&](const ReadAccess& read) { return read.stage == now.stage(); });
    const bool fits = is_direct && NeedsMultiLevelTiling(facts, now.state, reader) &&
                      !HasLoopOfThreads(now.state.stage(reader)) &&
                      LastOuterReduction(now.state, reader) &&
                      Check(now.state, CacheRead{{now.stage()}, MemoryScope::kShared, {{reader}}});
    if (fits) tiled.push_back(reader);
    if (tiled.empty()) break;
  }
  return tiled;
}

RuleFit FitCacheRead(const SketchFacts& facts, const Derivation& now) {
  const bool fits = facts.task.target.IsGpu() && !TiledReaders(facts, now).empty();
  return fits ? RuleFit::kDecides : RuleFit::kNo;
}

// The position stays: the next rule is applied to the stage that the copies read.
std::vector<Derivation> ApplyCacheRead(const SketchFacts& facts, const Derivation& now) {
  Derivation next = now;
  const int stage = now.stage();
  for (const int reader : TiledReaders(facts, now)) {
    const int copy = next.state.size();
    next.state = Applied(next.state, CacheRead{{stage}, MemoryScope::kShared, {{reader}}});
    const int loop = *LastOuterReduction(next.state, reader);
    next.state = Applied(next.state, ComputeAt{{copy}, {reader}, loop});
  }
  return {std::move(next)};
}

// --- inline ---

RuleFit FitInline(const SketchFacts& facts, const Derivation& now) {
  const Stage& stage = now.state.stage(now.stage());
  const std::optional<int> definition = DefinitionOf(now.state, now.stage());
  if (!definition || stage.op->is_reduction() || now.state.is_output(now.stage())) {
    return RuleFit::kNo;
  }
  const bool fits =
      facts.task.target.IsGpu() || facts.analysis.tensors[*definition].is_strictly_inlineable;
  if (!fits) return RuleFit::kNo;
  return Check(now.state, ComputeInline{{now.stage()}}) ? RuleFit::kDecides : RuleFit::kNo;
}

std::vector<Derivation> ApplyInline(const SketchFacts&, const Derivation& now) {
  return {MovedOn(now, Applied(now.state, ComputeInline{{now.stage()}}))};
}

// --- rfactor ---

RuleFit FitRfactor(const SketchFacts& facts, const Derivation& now) {
  if (facts.task.target.IsGpu()) return RuleFit::kNo;
  const int stage = now.stage();
  if (!DefinitionOf(now.state, stage) || IsWriteCache(now.state, stage)) return RuleFit::kNo;
  if (!now.state.stage(stage).op->is_reduction()) return RuleFit::kNo;
  const Lengths lengths = LengthsOf(now.state, stage);
  const double cores = facts.task.target.cores;
  if (!NeedsMultiLevelTiling(facts, now.state, stage)) {
    return lengths.reduction > cores ? RuleFit::kApplies : RuleFit::kNo;
  }
  const bool enough =
      lengths.spatial > lengths.reduction || lengths.spatial > kPiecesPerCore * cores;
  return enough ? RuleFit::kNo : RuleFit::kApplies;
}

// Partial sums over the outer part of all reductions, or over the inner part, whose axis then goes
// innermost so that it can be vectorized.
std::vector<Derivation> ApplyRfactor(const SketchFacts&, const Derivation& now) {
  const int stage = now.stage();
  const StageOp& op = *now.state.stage(stage).op;
  Derivation split = now;
  const int reductions = static_cast<int>(op.axes.size()) - op.spatial;
  if (reductions > 1) {
    std::vector<int> loops(reductions);
    std::iota(loops.begin(), loops.end(), op.spatial);
    split.state = Applied(split.state, Fuse{{stage}, loops});
  }
  split.open_steps.push_back(split.state.trace_size());
  split.state = Applied(split.state, Split{{stage}, op.spatial, {1}});
  std::vector<Derivation> made;
  for (int part : {0, 1}) {
    const int added = split.state.size();
    ScheduleState state = Applied(split.state, Rfactor{{stage}, op.spatial + part, op.spatial});
    if (part == 1) {
      std::vector<int> order(state.stage(added).loops.size());
      std::iota(order.begin(), order.end(), 0);
      order.erase(order.begin() + op.spatial);
      order.push_back(op.spatial);
      state = Applied(state, Reorder{{added}, order});
    }
    made.push_back(MovedOn(split, std::move(state)));
  }
  return made;
}

// --- cross_thread ---

RuleFit FitCrossThread(const SketchFacts& facts, const Derivation& now) {
  const Target& target = facts.task.target;
  const int stage = now.stage();
  if (!target.IsGpu() || !DefinitionOf(now.state, stage) || IsWriteCache(now.state, stage)) {
    return RuleFit::kNo;
  }
  const StageOp& op = *now.state.stage(stage).op;
  const Lengths lengths = LengthsOf(now.state, stage);
  if (!op.is_reduction() || target.gpu.threads < target.gpu.warp) return RuleFit::kNo;
  const bool fits =
      NeedsMultiLevelTiling(facts, now.state, stage)
          ? lengths.spatial <= target.gpu.threads && lengths.spatial < lengths.reduction
          : lengths.reduction > target.gpu.warp;
  return fits ? RuleFit::kApplies : RuleFit::kNo;
}

// The step that cut a stage's loop for threads, or whose lengths that cut reused.
int StepOfThreads(const ScheduleState& state, int id) {
  for (int step = state.trace_size(); step-- > 0;) {
    const auto* split = std::get_if<Split>(&state.step(step));
    if (split && split->stage.id == id) return step;
    const auto* follow = std::get_if<FollowSplit>(&state.step(step));
    if (follow && follow->stage.id == id) return follow->source;
  }
  SG_CHECK(false, "threads run a part of a loop");
}

// Cuts the innermost loop of the reader by a warp for threads, unless it has threads. nullopt if
// the reader is a copy, has other loops of its own, or a reduction that one thread runs.
std::optional<ScheduleState> ReaderWithThreads(ScheduleState state, int reader) {
  const Stage& stage = state.stage(reader);
  if (HasLoopOfThreads(stage)) return state;
  const bool is_map = stage.op->kind == StageKind::kCompute && !stage.op->is_reduction();
  if (!is_map || !stage.is_fresh()) return std::nullopt;
  const int last = static_cast<int>(stage.loops.size()) - 1;
  state = Applied(state, Split{{reader}, last, {state.task().target.gpu.warp}});
  return Applied(state, Bind{{reader}, last + 1, Annotation::kThreadX});
}

// Computes the stage, whose reductions are one loop, at the last axis that it shares with its one
// reader: the same threads run both. nullopt if the published rule does not apply or cannot.
std::optional<ScheduleState> SharedWithinReader(const SketchFacts& facts, const ScheduleState& now,
                                                int stage) {
  const std::vector<int> readers = now.Consumers(stage);
  if (readers.size() != 1 || NeedsMultiLevelTiling(facts, now, readers[0])) return std::nullopt;
  const int reader = readers[0];
  const int common = CommonRows(now, reader)[stage];
  if (common < 1) return std::nullopt;
  std::optional<ScheduleState> state = ReaderWithThreads(now, reader);
  if (!state) return std::nullopt;
  const int loop = now.stage(stage).op->spatial;
  *state = Applied(*state, FollowSplit{{stage}, loop, StepOfThreads(*state, reader), 1});
  *state = Applied(*state, Bind{{stage}, loop + 1, Annotation::kThreadX});
  Result<ScheduleState> placed = Apply(*state, ComputeAt{{stage}, {reader}, common - 1});
  return placed ? std::optional(*std::move(placed)) : std::nullopt;
}

// Published (TVM 0.16, RuleCrossThreadReduction): all reductions become one loop, which is cut by a
// warp, whether that divides it or not. Its inner part is bound to threads.
std::vector<Derivation> ApplyCrossThread(const SketchFacts& facts, const Derivation& now) {
  const int stage = now.stage();
  const StageOp& op = *now.state.stage(stage).op;
  const int reductions = static_cast<int>(op.axes.size()) - op.spatial;
  ScheduleState state = now.state;
  if (reductions > 1) {
    std::vector<int> loops(reductions);
    std::iota(loops.begin(), loops.end(), op.spatial);
    state = Applied(state, Fuse{{stage}, loops});
  }
  if (std::optional<ScheduleState> fused = SharedWithinReader(facts, state, stage)) {
    return {MovedOn(now, *std::move(fused))};
  }
  state = Applied(state, Split{{stage}, op.spatial, {facts.task.target.gpu.warp}});
  state = Applied(state, Bind{{stage}, op.spatial + 1, Annotation::kThreadX});
  return {MovedOn(now, std::move(state))};
}

// --- cache_write ---

RuleFit FitCacheWrite(const SketchFacts& facts, const Derivation& now) {
  const int stage = now.stage();
  const bool fits = NeedsMultiLevelTiling(facts, now.state, stage) &&
                    !MatchedReader(now.state, stage) && Check(now.state, CacheWrite{{stage}});
  if (!fits) return RuleFit::kNo;
  return facts.task.target.IsGpu() ? RuleFit::kDecides : RuleFit::kApplies;
}

// The position stays: it is now that of the cache.
std::vector<Derivation> ApplyCacheWrite(const SketchFacts&, const Derivation& now) {
  Derivation next = now;
  next.state = Applied(now.state, CacheWrite{{now.stage()}});
  return {std::move(next)};
}

// --- tile_and_fuse ---

// The published levels: after the first and after the second spatial one; on GPUs within a thread.
constexpr int kFusedLevels[] = {1, 2};
constexpr int kGpuFusedLevels[] = {3};

std::span<const int> FusedLevels(const Target& target) {
  if (target.IsGpu()) return kGpuFusedLevels;
  return kFusedLevels;
}

RuleFit FitFuse(const SketchFacts& facts, const Derivation& now) {
  const int stage = now.stage();
  if (!NeedsMultiLevelTiling(facts, now.state, stage)) return RuleFit::kNo;
  const std::optional<int> reader = MatchedReader(now.state, stage);
  if (!reader || !now.state.stage(*reader).is_fresh()) return RuleFit::kNo;
  const bool decides = IsWriteCache(now.state, stage) || facts.task.target.IsGpu();
  return decides ? RuleFit::kDecides : RuleFit::kApplies;
}

std::vector<Derivation> ApplyFuse(const SketchFacts&, const Derivation& now) {
  const int reader = *MatchedReader(now.state, now.stage());
  const TiledStage tiled = TileLevels(now, now.stage());
  std::vector<Derivation> made;
  for (int level : FusedLevels(now.state.task().target)) {
    std::optional<Derivation> fused = FuseAtLevel(tiled, now.stage(), reader, level);
    if (!fused) continue;
    --fused->position;
    made.push_back(*std::move(fused));
  }
  return made;
}

// --- tile ---

RuleFit FitTile(const SketchFacts& facts, const Derivation& now) {
  return NeedsMultiLevelTiling(facts, now.state, now.stage()) ? RuleFit::kDecides : RuleFit::kNo;
}

std::vector<Derivation> ApplyTile(const SketchFacts&, const Derivation& now) {
  Derivation next = TileLevels(now, now.stage()).derivation;
  --next.position;
  return {std::move(next)};
}

// --- skip ---

RuleFit FitSkip(const SketchFacts&, const Derivation&) { return RuleFit::kApplies; }

std::vector<Derivation> ApplySkip(const SketchFacts&, const Derivation& now) {
  return {MovedOn(now, now.state)};
}

int Levels(std::string_view structure, char kind) {
  return static_cast<int>(std::count(structure.begin(), structure.end(), kind));
}

// Where each axis' first loop stands once the axes before it are split.
struct LevelPositions {
  int spatial = 0;    // axes
  int reduction = 0;  // axes
  int spatial_levels = 0;
  int reduction_levels = 0;

  int Spatial(int axis, int level) const { return axis * spatial_levels + level; }
  int Reduction(int axis, int level) const {
    return spatial * spatial_levels + axis * reduction_levels + level;
  }
};

std::vector<int> StructureOrder(const LevelPositions& positions, std::string_view structure) {
  std::vector<int> order;
  int spatial_level = 0;
  int reduction_level = 0;
  for (char kind : structure) {
    if (kind == 'S') {
      for (int i = 0; i < positions.spatial; ++i) {
        order.push_back(positions.Spatial(i, spatial_level));
      }
      ++spatial_level;
    } else {
      for (int i = 0; i < positions.reduction; ++i) {
        order.push_back(positions.Reduction(i, reduction_level));
      }
      ++reduction_level;
    }
  }
  return order;
}

}  // namespace

std::vector<SketchRule> AnsorRules() {
  return {
      {"cache_read", "on GPUs, tiles of what is read through memory that a block shares",
       FitCacheRead, ApplyCacheRead},
      {"inline", "what reads element for element, without branch or exp, into its readers",
       FitInline, ApplyInline},
      {"rfactor", "partial sums of a long reduction with few results", FitRfactor, ApplyRfactor},
      {"cross_thread",
       "on GPUs, a long reduction shared by the threads of a block, within its reader where it has "
       "one",
       FitCrossThread, ApplyCrossThread},
      {"cache_write", "results that nothing reads element for element through a local copy",
       FitCacheWrite, ApplyCacheWrite},
      {"tile_and_fuse", "tiles in levels within the tiles of the reader", FitFuse, ApplyFuse},
      {"tile", "tiles in levels", FitTile, ApplyTile},
      {"skip", "the stage as it is", FitSkip, ApplySkip},
  };
}

std::string_view TileStructureOf(const Target& target) {
  return target.IsGpu() ? kGpuTileStructure : kTileStructure;
}

TiledStage TileLevels(const Derivation& now, int stage) {
  TiledStage tiled{now, {}};
  Derivation& made = tiled.derivation;
  const StageOp& op = *now.state.stage(stage).op;
  const std::string_view structure = TileStructureOf(now.state.task().target);
  LevelPositions positions;
  positions.spatial_levels = Levels(structure, 'S');
  positions.reduction_levels = Levels(structure, 'R');
  positions.spatial = op.spatial;
  positions.reduction = static_cast<int>(op.axes.size()) - op.spatial;
  const auto split = [&](int loop, int parts) {
    made.open_steps.push_back(made.state.trace_size());
    made.state = Applied(made.state, Split{{stage}, loop, std::vector<int64_t>(parts - 1, 1)});
    return made.open_steps.back();
  };
  for (int i = 0; i < positions.spatial; ++i) {
    tiled.spatial_splits.push_back(split(positions.Spatial(i, 0), positions.spatial_levels));
  }
  for (int i = 0; i < positions.reduction; ++i) {
    split(positions.Reduction(i, 0), positions.reduction_levels);
  }
  made.state = Applied(made.state, Reorder{{stage}, StructureOrder(positions, structure)});
  return tiled;
}

std::optional<Derivation> FuseAtLevel(const TiledStage& tiled, int stage, int reader, int level) {
  Derivation made = tiled.derivation;
  const int axes = static_cast<int>(tiled.spatial_splits.size());
  for (int i = 0; i < axes; ++i) {
    made.state =
        Applied(made.state, FollowSplit{{reader}, i * (level + 1), tiled.spatial_splits[i], level});
  }
  std::vector<int> order;
  for (int part = 0; part <= level; ++part) {
    for (int i = 0; i < axes; ++i) order.push_back(i * (level + 1) + part);
  }
  const int loops = static_cast<int>(made.state.stage(reader).loops.size());
  for (int rest = axes * (level + 1); rest < loops; ++rest) order.push_back(rest);
  made.state = Applied(made.state, Reorder{{reader}, order});
  Result<ScheduleState> fused = Apply(made.state, ComputeAt{{stage}, {reader}, level * axes - 1});
  if (!fused) return std::nullopt;
  made.state = *std::move(fused);
  return made;
}

}  // namespace schedulegym
