#include "env/schedule/primitives/annotations.h"

#include "env/schedule/editor.h"
#include "env/schedule/placement.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {

Result<void> CheckPrimitive(const ScheduleState& state, const Parallel& primitive) {
  if (auto ok = CheckPlainLoop(state, primitive.stage, primitive.loop); !ok) return ok;
  const int id = primitive.stage.id;
  const Stage& stage = state.stage(id);
  if (stage.nodes[stage.loops[primitive.loop].node].reduction) {
    return Illegal("loop " + std::to_string(primitive.loop) + " of " + stage.op->name +
                   " is a reduction: its iterations write the same cells");
  }
  for (const StageLoop& loop : stage.loops) {
    if (loop.annotation == Annotation::kParallel) {
      return Illegal(stage.op->name + " has a parallel loop already");
    }
  }
  const Placements placements(state);
  if (placements.IsInParallel(id)) {
    return Illegal(stage.op->name + " is computed within a parallel loop");
  }
  for (int other = 0; other < state.size(); ++other) {
    if (other == id || !placements.IsWithin(other, id, primitive.loop)) continue;
    if (!placements.HoldsParallel(other)) continue;
    return Illegal(state.stage(other).op->name + ", computed within the loop, is parallel already");
  }
  const Target& target = state.task().target;
  if (!target.IsGpu()) return {};
  return Illegal(std::string("target ") + target.BackendName() +
                 " has no parallel loops, expected bind");
}

void ApplyPrimitive(StateEditor& editor, const Parallel& primitive) {
  editor.Edit(primitive.stage.id).loops[primitive.loop].annotation = Annotation::kParallel;
}

Result<void> CheckPrimitive(const ScheduleState& state, const Vectorize& primitive) {
  if (auto ok = CheckPlainLoop(state, primitive.stage, primitive.loop); !ok) return ok;
  const Stage& stage = state.stage(primitive.stage.id);
  if (primitive.loop + 1 != static_cast<int>(stage.loops.size())) {
    return Illegal("loop " + std::to_string(primitive.loop) + " of " + stage.op->name +
                   " is not the innermost");
  }
  const int node = stage.loops[primitive.loop].node;
  if (stage.nodes[node].reduction) {
    return Illegal("loop " + std::to_string(primitive.loop) + " of " + stage.op->name +
                   " is a reduction: use rfactor first");
  }
  if (stage.nodes[node].extent > kMostRepeats) {
    return Illegal("found extent " + std::to_string(stage.nodes[node].extent) +
                   ", expected at most " + std::to_string(kMostRepeats));
  }
  for (const StagePtr& other : state.stages()) {
    if (other->location != Location::kAt || other->target != primitive.stage.id) continue;
    if (other->target_node != node) continue;
    return Illegal(other->op->name + " is computed at this loop");
  }
  return {};
}

void ApplyPrimitive(StateEditor& editor, const Vectorize& primitive) {
  editor.Edit(primitive.stage.id).loops[primitive.loop].annotation = Annotation::kVectorize;
}

Result<void> CheckPrimitive(const ScheduleState& state, const Unroll& primitive) {
  if (auto ok = CheckPlainLoop(state, primitive.stage, primitive.loop); !ok) return ok;
  const Stage& stage = state.stage(primitive.stage.id);
  const int64_t extent = stage.nodes[stage.loops[primitive.loop].node].extent;
  if (extent <= kMostRepeats) return {};
  return Illegal("found extent " + std::to_string(extent) + ", expected at most " +
                 std::to_string(kMostRepeats));
}

void ApplyPrimitive(StateEditor& editor, const Unroll& primitive) {
  editor.Edit(primitive.stage.id).loops[primitive.loop].annotation = Annotation::kUnroll;
}

Result<void> CheckPrimitive(const ScheduleState& state, const Bind& primitive) {
  if (!state.task().target.IsGpu()) {
    return Illegal(std::string("target ") + state.task().target.BackendName() + " has no " +
                   AnnotationName(primitive.thread) + ", expected target cuda or opencl");
  }
  if (auto ok = CheckPlainLoop(state, primitive.stage, primitive.loop); !ok) return ok;
  const Stage& stage = state.stage(primitive.stage.id);
  const bool is_reduction = stage.nodes[stage.loops[primitive.loop].node].reduction;
  if (is_reduction && primitive.thread < Annotation::kThreadX) {
    return Illegal("loop " + std::to_string(primitive.loop) + " of " + stage.op->name +
                   " is a reduction: expected threadIdx.x, threadIdx.y or threadIdx.z, whose "
                   "threads share their sums, found " +
                   AnnotationName(primitive.thread));
  }
  for (const StageLoop& loop : stage.loops) {
    if (loop.annotation != primitive.thread) continue;
    return Illegal(stage.op->name + " has a loop on " + AnnotationName(primitive.thread) +
                   " already");
  }
  return {};
}

void ApplyPrimitive(StateEditor& editor, const Bind& primitive) {
  editor.Edit(primitive.stage.id).loops[primitive.loop].annotation = primitive.thread;
}

Result<void> CheckPrimitive(const ScheduleState& state, const Pragma& primitive) {
  if (auto ok = CheckLoops(state, primitive.stage); !ok) return ok;
  if (primitive.name != "auto_unroll_max_step") {
    return Illegal("unknown pragma '" + primitive.name + "': expected auto_unroll_max_step");
  }
  if (primitive.value >= 0 && primitive.value <= kMostRepeats) return {};
  return Illegal("found value " + std::to_string(primitive.value) + ", expected 0.." +
                 std::to_string(kMostRepeats));
}

void ApplyPrimitive(StateEditor& editor, const Pragma& primitive) {
  editor.Edit(primitive.stage.id).auto_unroll_max_step = primitive.value;
}

}  // namespace schedulegym
