#include "env/schedule/primitives/compute_at.h"

#include "env/schedule/editor.h"
#include "env/schedule/placement.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {

Result<void> CheckPrimitive(const ScheduleState& state, const ComputeAt& primitive) {
  if (auto ok = CheckLoops(state, primitive.stage); !ok) return ok;
  if (auto ok = CheckLoop(state, primitive.target, primitive.loop); !ok) return ok;
  const int id = primitive.stage.id;
  const Stage& stage = state.stage(id);
  const Stage& target = state.stage(primitive.target.id);
  if (state.is_output(id)) return Illegal(stage.op->name + " is an output: it is computed whole");
  const Placements before(state);
  if (before.IsWithin(primitive.target.id, id, 0)) {
    return Illegal(target.op->name + " is computed within " + stage.op->name + " itself");
  }
  if (target.loops[primitive.loop].annotation == Annotation::kVectorize) {
    return Illegal("loop " + std::to_string(primitive.loop) + " of " + target.op->name +
                   " is vectorized");
  }
  if (stage.location == Location::kAt && stage.target == primitive.target.id &&
      stage.target_node == target.loops[primitive.loop].node) {
    return Illegal(stage.op->name + " is computed there already");
  }
  if (state.Consumers(id).empty()) return Illegal("nothing reads " + stage.op->name);
  const bool parallel = before.HoldsParallel(id);
  Placements after(state);
  after.MoveTo(id, primitive.target.id, primitive.loop);
  if (parallel && after.IsInParallel(id)) {
    return Illegal(stage.op->name + " is parallel itself and would stand in a parallel loop");
  }
  return after.Check();
}

void ApplyPrimitive(StateEditor& editor, const ComputeAt& primitive) {
  Stage& stage = editor.Edit(primitive.stage.id);
  stage.location = Location::kAt;
  stage.target = primitive.target.id;
  stage.target_node = editor.stage(primitive.target.id).loops[primitive.loop].node;
}

}  // namespace schedulegym
