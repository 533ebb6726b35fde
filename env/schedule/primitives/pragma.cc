#include "env/schedule/primitives/pragma.h"

#include "env/schedule/editor.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {

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
