#include "env/schedule/primitives/compute_root.h"

#include "env/schedule/editor.h"
#include "env/schedule/placement.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {
namespace {

// A stage that stops being inlined reads its producers at the root itself.
Result<void> CheckOutOfLine(const ScheduleState& state, int id) {
  for (const ReadAccess& read : state.stage(id).effective->reads) {
    const Stage& producer = state.stage(read.stage);
    if (producer.location != Location::kAt) continue;
    return Illegal(producer.op->name + " is computed within a loop of " +
                   state.stage(producer.target).op->name + ", but its consumer " +
                   state.stage(id).op->name + " would not be");
  }
  return {};
}

}  // namespace

Result<void> CheckPrimitive(const ScheduleState& state, const ComputeRoot& primitive) {
  if (auto ok = CheckStage(state, primitive.stage); !ok) return ok;
  const int id = primitive.stage.id;
  const Stage& stage = state.stage(id);
  if (stage.op->kind == StageKind::kInput) return Illegal(stage.op->name + " is an input");
  if (stage.location == Location::kRoot) {
    return Illegal(stage.op->name + " is computed at the root already");
  }
  if (stage.location == Location::kInlined) return CheckOutOfLine(state, id);
  return Placements(state).MoveToRoot(id).Check();
}

void ApplyPrimitive(StateEditor& editor, const ComputeRoot& primitive) {
  Stage& stage = editor.Edit(primitive.stage.id);
  const bool was_inlined = stage.location == Location::kInlined;
  stage.location = Location::kRoot;
  stage.target = -1;
  stage.target_node = -1;
  if (!was_inlined) return;
  editor.ChangeInlining(primitive.stage.id);
  editor.UpdateInlining();
}

}  // namespace schedulegym
