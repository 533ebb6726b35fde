#include "env/schedule/primitives/parallel.h"

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
  return {};
}

void ApplyPrimitive(StateEditor& editor, const Parallel& primitive) {
  editor.Edit(primitive.stage.id).loops[primitive.loop].annotation = Annotation::kParallel;
}

}  // namespace schedulegym
