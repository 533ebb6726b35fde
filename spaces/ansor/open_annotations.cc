#include "spaces/ansor/open_annotations.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "spaces/ansor/annotate.h"
#include "spaces/ansor/loop_place.h"
#include "spaces/ansor/stage_facts.h"
#include "spaces/ansor/stage_loops.h"

namespace schedulegym {
namespace {

// Loops fused into one parallel loop, at most.
constexpr int kMostFused = 6;

std::vector<Trace> Locations(const ScheduleState& state, int stage) {
  std::vector<Trace> choices = {{}};
  for (const LoopPlace& place : PlacesFor(state, stage, PlaceFilter::kAll)) {
    choices.push_back({ComputeAt{{stage}, {place.target}, place.loop}});
  }
  return choices;
}

std::vector<Trace> Unrollings(int stage) {
  std::vector<Trace> choices;
  for (int64_t steps : kUnrollSteps) {
    choices.emplace_back();
    if (steps > 0) choices.back() = {Pragma{{stage}, "auto_unroll_max_step", steps}};
  }
  return choices;
}

// Whether the innermost loop could be a vector, however long.
bool HasInnerLoop(const ScheduleState& state, int id) {
  const Stage& stage = state.stage(id);
  const int last = static_cast<int>(stage.loops.size()) - 1;
  return last >= 0 && !IsReductionLoop(stage, stage.loops[last]) &&
         AttachedAt(state, id, last).empty();
}

std::vector<Trace> Vectors(int stage, size_t loops) {
  return {{}, {Vectorize{{stage}, static_cast<int>(loops) - 1}}};
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

// The innermost loop stays out of it.
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

  // Readers first: what they read may then stand in them.
  void AddLocations(const SketchFacts& facts) {
    for (size_t i = stages_.size(); i-- > 0;) {
      const int id = stages_[i];
      if (IsTiled(state_.stage(id)) || NeedsMultiLevelTiling(facts, state_, id)) continue;
      Add(KnobKind::kLocation, id, Locations(state_, id));
    }
  }

  void AddLoops(int64_t most_vector) {
    for (int id : stages_) {
      if (state_.stage(id).op->is_reduction()) Add(KnobKind::kUnroll, id, Unrollings(id));
    }
    const LoopStructure structure = InferLoops(state_);
    for (int id : stages_) {
      if (!HasInnerLoop(state_, id)) continue;
      // What a tile decides has length 1 here; what a place decides is looked at once it is chosen.
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

std::vector<OpenAnnotation> OpenAnnotationsOf(const SketchFacts& facts, const ScheduleState& state,
                                              int64_t most_vector) {
  Collector collector(state);
  collector.AddLocations(facts);
  collector.AddLoops(most_vector);
  return collector.Take();
}

}  // namespace schedulegym
