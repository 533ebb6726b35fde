#include "env/schedule/primitives/bind.h"

#include "env/schedule/editor.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {

Result<void> CheckPrimitive(const ScheduleState& state, const Bind& primitive) {
  if (state.task().target.backend != BackendKind::kCuda) {
    return Illegal(std::string("target ") + state.task().target.BackendName() + " has no " +
                   AnnotationName(primitive.thread) + ", expected target cuda");
  }
  if (auto ok = CheckPlainLoop(state, primitive.stage, primitive.loop); !ok) return ok;
  const Stage& stage = state.stage(primitive.stage.id);
  if (stage.nodes[stage.loops[primitive.loop].node].reduction) {
    return Illegal("loop " + std::to_string(primitive.loop) + " of " + stage.op->name +
                   " is a reduction: its iterations write the same cells");
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

}  // namespace schedulegym
