// Places schedules among the points of a task's sketches, and crosses two of them. Parents of one
// sketch: single-point crossover of their knob values, as in AutoTVM's genetic tuner; knobs of one
// tile stay together. Others cross their traces: both share first steps of equal structure (splits
// may differ in lengths, pragmas in values). A cut among these takes the first parent's steps
// before it and the second's after, and is replayed. An illegal child is an error. Cost: one build
// of a schedule.
#include "agents/common/sketch_place.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

// Returns by knob the first knob of its decision.
std::vector<int> DecisionsOf(const KnobSpace& knobs) {
  std::vector<int> decisions(knobs.dimensions());
  std::iota(decisions.begin(), decisions.end(), 0);
  for (const KnobTile& tile : knobs.tiles()) {
    int decision = knobs.dimensions();
    for (int knob : tile.knobs) {
      if (knob >= 0) decision = std::min(decision, knob);
    }
    for (int knob : tile.knobs) {
      if (knob >= 0) decisions[knob] = decision;
    }
  }
  return decisions;
}

bool IsGene(const Primitive& step) {
  return std::holds_alternative<Split>(step) || std::holds_alternative<Pragma>(step);
}

// Returns whether both lead to the same loops, up to their extents.
bool AreOfOneStructure(const Primitive& a, const Primitive& b) {
  const auto* split = std::get_if<Split>(&a);
  const auto* other = std::get_if<Split>(&b);
  if (split != nullptr && other != nullptr) {
    Split same = *other;
    same.lengths = split->lengths;
    return other->lengths.size() == split->lengths.size() && Primitive(same) == a;
  }
  const auto* pragma = std::get_if<Pragma>(&a);
  const auto* hint = std::get_if<Pragma>(&b);
  if (pragma != nullptr && hint != nullptr) return pragma->stage == hint->stage;
  return a == b;
}

// Returns the number of first steps that both share.
int CommonSteps(const ScheduleState& a, const ScheduleState& b) {
  const int most = std::min(a.trace_size(), b.trace_size());
  int common = 0;
  while (common < most && AreOfOneStructure(a.step(common), b.step(common))) ++common;
  return common;
}

Result<ScheduleState> CrossedTraces(const ScheduleState& first, const ScheduleState& second,
                                    Rng& rng) {
  // A cut after all steps of either parent would give that parent.
  const int most = std::min(CommonSteps(first, second), second.trace_size() - 1);
  if (most < 1) return Error{ErrorKind::kIllegal, "found parents of different structure"};
  const int cut = 1 + static_cast<int>(rng.Below(most));
  Trace trace;
  for (int i = 0; i < cut; ++i) trace.push_back(first.step(i));
  for (int i = cut; i < second.trace_size(); ++i) trace.push_back(second.step(i));
  return Replay(first.shared_task(), trace);
}

}  // namespace

std::optional<SketchPlace> FindPlace(const std::vector<Sketch>& sketches,
                                     const ScheduleState& state) {
  for (const Sketch& sketch : sketches) {
    std::optional<KnobPoint> point = sketch.knobs->PointOf(state);
    if (point) return SketchPlace{sketch.knobs, *std::move(point)};
  }
  return std::nullopt;
}

std::optional<KnobPoint> StepFrom(const SketchPlace& place, Rng& rng) {
  if (place.point.empty()) return std::nullopt;
  KnobPoint point = place.point;
  point[rng.Below(std::ssize(point))] += rng.Chance(0.5) ? 1 : -1;
  if (!place.knobs->Contains(point)) return std::nullopt;
  return point;
}

KnobPoint CrossedPoint(const SketchPlace& first, const KnobPoint& second, Rng& rng) {
  const std::vector<int> decisions = DecisionsOf(*first.knobs);
  KnobPoint point = first.point;
  if (point.size() < 2) return point;
  const auto cut = static_cast<int>(1 + rng.Below(std::ssize(point) - 1));
  for (size_t i = 0; i < point.size(); ++i) {
    if (decisions[i] >= cut) point[i] = second[i];
  }
  return point;
}

std::vector<Sketch> RequiredSketches(const SearchSpace& space,
                                     const std::shared_ptr<const Task>& task,
                                     const std::string& asker) {
  std::vector<Sketch> sketches = space.Sketches(task);
  if (!sketches.empty()) return sketches;
  throw InputError(asker + ": space " + space.Name() +
                   " has no sketches; expected one that has, such as ansor");
}

int64_t CountGenes(const ScheduleState& state) {
  int64_t genes = 0;
  for (int i = 0; i < state.trace_size(); ++i) genes += IsGene(state.step(i)) ? 1 : 0;
  return genes;
}

Result<ScheduleState> Crossed(const std::vector<Sketch>& sketches, const ScheduleState& first,
                              const ScheduleState& second, Rng& rng) {
  const std::optional<SketchPlace> place = FindPlace(sketches, first);
  const std::optional<KnobPoint> other =
      place ? place->knobs->PointOf(second) : std::optional<KnobPoint>();
  if (!other) return CrossedTraces(first, second, rng);
  return place->knobs->At(CrossedPoint(*place, *other, rng));
}

}  // namespace schedulegym
