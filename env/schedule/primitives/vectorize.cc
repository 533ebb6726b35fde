#include "env/schedule/primitives/vectorize.h"

#include "env/schedule/editor.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {

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

}  // namespace schedulegym
