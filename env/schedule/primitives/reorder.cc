#include "env/schedule/primitives/reorder.h"

#include "env/schedule/editor.h"
#include "env/schedule/placement.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {
namespace {

Result<void> CheckPermutation(const std::vector<int>& order, const Stage& stage) {
  const size_t count = stage.loops.size();
  if (order.size() != count) {
    return Illegal("found " + std::to_string(order.size()) + " positions, but " + stage.op->name +
                   " has " + std::to_string(count) + " loops");
  }
  uint64_t seen[2] = {0, 0};
  static_assert(kMostLoopNodes <= 128);
  for (int position : order) {
    if (position < 0 || position >= static_cast<int>(count)) {
      return Illegal("found position " + std::to_string(position) + ", expected 0.." +
                     std::to_string(count - 1));
    }
    uint64_t& word = seen[position / 64];
    if (word >> (position % 64) & 1) {
      return Illegal("position " + std::to_string(position) + " stands twice");
    }
    word |= uint64_t{1} << (position % 64);
  }
  return {};
}

// A parallel loop that moves outward must not get around another parallel loop.
Result<void> CheckParallel(const ScheduleState& state, int id, const std::vector<int>& order) {
  const Stage& stage = state.stage(id);
  bool in_parallel = false;
  for (int position : order) {
    in_parallel = in_parallel || stage.loops[position].annotation == Annotation::kParallel;
    if (!in_parallel) continue;
    for (int other = 0; other < state.size(); ++other) {
      const Stage& attached = state.stage(other);
      if (attached.location != Location::kAt || attached.target != id) continue;
      if (attached.target_node != stage.loops[position].node) continue;
      if (!Placements(state).HoldsParallel(other)) continue;
      return Illegal(attached.op->name + " is parallel itself and would stand in a parallel loop");
    }
  }
  return {};
}

}  // namespace

Result<void> CheckPrimitive(const ScheduleState& state, const Reorder& primitive) {
  if (auto ok = CheckLoops(state, primitive.stage); !ok) return ok;
  const Stage& stage = state.stage(primitive.stage.id);
  if (auto ok = CheckPermutation(primitive.order, stage); !ok) return ok;
  for (size_t i = 0; i + 1 < primitive.order.size(); ++i) {
    if (stage.loops[primitive.order[i]].annotation != Annotation::kVectorize) continue;
    return Illegal("the vectorized loop must stay innermost");
  }
  if (auto ok = CheckParallel(state, primitive.stage.id, primitive.order); !ok) return ok;
  return Placements(state).Reorder(primitive.stage.id, primitive.order).Check();
}

void ApplyPrimitive(StateEditor& editor, const Reorder& primitive) {
  Stage& stage = editor.Edit(primitive.stage.id);
  const std::vector<StageLoop> old = stage.loops;
  for (size_t i = 0; i < old.size(); ++i) stage.loops[i] = old[primitive.order[i]];
}

}  // namespace schedulegym
