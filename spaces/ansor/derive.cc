// Derives the sketches of a task (Zheng et al., OSDI 2020, 4.1): breadth first, from the last stage
// in topological order to the first; each rule that fits makes derivations, and one that decides
// ends the list. A derivation past the first stage is a sketch: its trace, the factorizations of
// its open splits, and the choices of each annotation (locations, vectors, unrolling, up to 6 fused
// parallel loops).
// Cost: the number of sketches, mostly below ten, times the length of their traces.
#include "spaces/ansor/derive.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "env/base/check.h"
#include "env/schedule/loop_structure.h"
#include "env/search/factorization.h"
#include "spaces/ansor/stage_loops.h"
#include "spaces/bind_threads.h"

namespace schedulegym {
namespace {

void Step(const SketchFacts& facts, const std::vector<SketchRule>& rules, const Derivation& now,
          std::vector<Derivation>& next) {
  for (const SketchRule& rule : rules) {
    const RuleFit fit = rule.fit(facts, now);
    if (fit == RuleFit::kNo) continue;
    const std::string name = now.state.stage(now.stage()).op->name + ": " + rule.name;
    for (Derivation& made : rule.apply(facts, now)) {
      made.rules.push_back(name);
      next.push_back(std::move(made));
    }
    if (fit == RuleFit::kDecides) return;
  }
}

// Extents of split loops do not depend on open lengths: rules split axes and fusions of axes.
OpenSketch Finish(const SketchFacts& facts, const Derivation& done, int64_t most_vector,
                  int64_t most_warps) {
  OpenSketch sketch{done.state, {}, OpenAnnotationsOf(facts, done.state, most_vector, most_warps),
                    done.rules, {}, most_vector};
  for (int id = 0; id < done.state.size(); ++id) {
    sketch.needs_tiles.push_back(NeedsMultiLevelTiling(facts, done.state, id));
  }
  ScheduleState state = ScheduleState::Initial(done.state.shared_task());
  for (int step = 0; step < done.state.trace_size(); ++step) {
    const Primitive& primitive = done.state.step(step);
    for (int open : done.open_steps) {
      if (open != step) continue;
      const auto& split = std::get<Split>(primitive);
      const Stage& stage = state.stage(split.stage.id);
      const int64_t extent = stage.nodes[stage.loops[split.loop].node].extent;
      sketch.splits.push_back(
          {step, extent, Factorizations(extent, static_cast<int>(split.lengths.size()))});
    }
    Result<ScheduleState> next = Apply(state, primitive);
    SG_CHECK(next.ok(), "a trace replays");
    state = *std::move(next);
  }
  return sketch;
}

// Limit of loops fused into one parallel loop.
constexpr int kMostFused = 6;

std::vector<Trace> Locations(const ScheduleState& state, int stage) {
  std::vector<Trace> choices = {{}};
  for (const LoopPlace& place : PlacesFor(state, stage, PlaceFilter::kAll)) {
    choices.push_back({ComputeAt{{stage}, {place.target}, place.loop}});
  }
  return choices;
}

std::vector<Trace> Unrollings(const Target& target, int stage) {
  std::vector<Trace> choices;
  for (int64_t steps : UnrollStepsOf(target)) {
    choices.emplace_back();
    if (steps > 0) choices.back() = {Pragma{{stage}, "auto_unroll_max_step", steps}};
  }
  return choices;
}

// Whether the innermost loop could be a vector of any length.
bool HasInnerLoop(const ScheduleState& state, int id) {
  const Stage& stage = state.stage(id);
  const int last = static_cast<int>(stage.loops.size()) - 1;
  return last >= 0 && !IsReductionLoop(stage, stage.loops[last]) &&
         AttachedAt(state, id, last).empty();
}

std::vector<Trace> Vectors(int stage, size_t loops) {
  return {{}, {Vectorize{{stage}, static_cast<int>(loops) - 1}}};
}

// Vectors of a copy: 2, 4 and so on elements, up to the width of one access.
std::vector<Trace> CopyVectors(const ScheduleState& state, int copy) {
  std::vector<Trace> choices = {{}};
  const int64_t most =
      state.task().target.gpu.vector_bytes / SizeInBytes(state.stage(copy).op->type);
  for (int64_t elements = 2; elements <= most; elements *= 2) {
    choices.push_back(CopyInVectors(state, copy, elements));
  }
  return choices;
}

// The first choice is that of BindThreads: a warp.
std::vector<Trace> ThreadsOfBlocks(const ScheduleState& state, int id, int64_t most_warps) {
  std::vector<Trace> choices = {{}};
  const int64_t extent = IterationsOfBlocks(state, id);
  for (const int64_t threads : BlockSizes(state.task().target, extent, most_warps)) {
    if (threads == state.task().target.gpu.warp) continue;
    choices.push_back(InBlocks(state, id, threads));
  }
  return choices;
}

Trace FusedInParallel(int stage, int count) {
  Trace trace;
  if (count > 1) {
    std::vector<int> loops(count);
    std::iota(loops.begin(), loops.end(), 0);
    trace.push_back(Fuse{{stage}, std::move(loops)});
  }
  trace.push_back(Parallel{{stage}, 0});
  return trace;
}

// The innermost loop is never included.
std::vector<Trace> Parallels(const ScheduleState& state, int id) {
  const Stage& stage = state.stage(id);
  const int end = static_cast<int>(stage.loops.size()) - (HasInnerLoop(state, id) ? 1 : 0);
  std::vector<Trace> choices = {{}};
  for (int i = 0; i < std::min(end, kMostFused); ++i) {
    if (IsReductionLoop(stage, stage.loops[i])) break;
    choices.push_back(FusedInParallel(id, i + 1));
    if (!AttachedAt(state, id, i).empty()) break;
  }
  return choices;
}

class Collector {
 public:
  explicit Collector(const ScheduleState& state) : state_(state) {
    for (int id : state.order()) {
      if (HasLoops(state.stage(id))) stages_.push_back(id);
    }
  }

  // Readers come first: their producers may then be computed in them.
  void AddLocations(const SketchFacts& facts) {
    for (size_t i = stages_.size(); i-- > 0;) {
      const int id = stages_[i];
      if (IsTiled(state_.stage(id)) || NeedsMultiLevelTiling(facts, state_, id)) continue;
      Add(KnobKind::kLocation, id, Locations(state_, id));
    }
  }

  void AddBlocks(int64_t most_warps) {
    for (int id : stages_) Add(KnobKind::kParallel, id, ThreadsOfBlocks(state_, id, most_warps));
  }

  void AddLoops(int64_t most_vector) {
    for (int id : stages_) {
      if (IsSharedCopy(state_, id)) Add(KnobKind::kVector, id, CopyVectors(state_, id));
    }
    for (int id : stages_) {
      if (!state_.stage(id).op->is_reduction()) continue;
      Add(KnobKind::kUnroll, id, Unrollings(state_.task().target, id));
    }
    if (state_.task().target.IsGpu()) return;
    const LoopStructure structure = InferLoops(state_);
    for (int id : stages_) {
      if (!HasInnerLoop(state_, id)) continue;
      // Parts of tiles have length 1 here; the choice of a place is checked once it is made.
      const std::vector<int64_t> extents = ExtentsOf(structure, id);
      if (!HasPlaces(annotations_, id) && extents.back() > most_vector) continue;
      Add(KnobKind::kVector, id, Vectors(id, extents.size()));
    }
    for (int id : stages_) {
      if (state_.stage(id).location != Location::kRoot) continue;
      Add(KnobKind::kParallel, id, Parallels(state_, id));
    }
  }

  std::vector<OpenAnnotation> Take() { return std::move(annotations_); }

 private:
  void Add(KnobKind kind, int stage, std::vector<Trace> choices) {
    if (choices.size() > 1) annotations_.push_back({kind, stage, std::move(choices)});
  }

  const ScheduleState& state_;
  std::vector<int> stages_;
  std::vector<OpenAnnotation> annotations_;
};

}  // namespace

std::vector<OpenSketch> DeriveSketches(const std::shared_ptr<const Task>& task,
                                       const std::vector<SketchRule>& rules, int64_t most_vector,
                                       int64_t most_warps) {
  const SketchFacts facts(*task);
  const ScheduleState initial = ScheduleState::Initial(task);
  std::vector<Derivation> now = {{initial, static_cast<int>(initial.order().size()) - 1, {}, {}}};
  std::vector<OpenSketch> sketches;
  while (!now.empty()) {
    std::vector<Derivation> next;
    for (const Derivation& derivation : now) {
      if (derivation.position < 0) {
        sketches.push_back(Finish(facts, derivation, most_vector, most_warps));
      } else {
        Step(facts, rules, derivation, next);
      }
    }
    now = std::move(next);
  }
  return sketches;
}

std::vector<OpenAnnotation> OpenAnnotationsOf(const SketchFacts& facts, const ScheduleState& state,
                                              int64_t most_vector, int64_t most_warps) {
  Collector collector(state);
  // On GPUs stages stay where rules put them, and blocks and threads of tiles follow from these.
  if (!facts.task.target.IsGpu()) collector.AddLocations(facts);
  collector.AddLoops(most_vector);
  if (facts.task.target.IsGpu()) collector.AddBlocks(most_warps);
  return collector.Take();
}

}  // namespace schedulegym
