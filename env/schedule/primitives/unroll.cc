#include "env/schedule/primitives/unroll.h"

#include "env/schedule/editor.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {

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

}  // namespace schedulegym
