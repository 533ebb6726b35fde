#include "env/schedule/primitives/split.h"

#include "env/schedule/primitives/split_loop.h"

namespace schedulegym {

Result<void> CheckPrimitive(const ScheduleState& state, const Split& primitive) {
  return CheckSplitLoop(state, primitive.stage, primitive.loop, primitive.lengths);
}

void ApplyPrimitive(StateEditor& editor, const Split& primitive) {
  SplitLoop(editor, primitive.stage.id, primitive.loop, primitive.lengths,
            !primitive.inner_to_outer);
}

}  // namespace schedulegym
