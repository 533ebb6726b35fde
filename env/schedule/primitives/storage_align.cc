#include "env/schedule/primitives/storage_align.h"

#include "env/schedule/editor.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {
namespace {

constexpr int64_t kLargestFactor = 1 << 16;

}  // namespace

Result<void> CheckPrimitive(const ScheduleState& state, const StorageAlign& primitive) {
  if (auto ok = CheckLoops(state, primitive.stage); !ok) return ok;
  const StageOp& op = *state.stage(primitive.stage.id).op;
  if (state.is_output(primitive.stage.id))
    return Illegal(op.name + " is an output, its layout is fixed");
  if (op.kind == StageKind::kPack) return Illegal(op.name + " is packed, its layout is its own");
  if (primitive.axis < 0 || primitive.axis >= op.spatial - 1) {
    return Illegal("found axis " + std::to_string(primitive.axis) +
                   ", expected one before the last of " + std::to_string(op.spatial) +
                   " dimensions");
  }
  if (primitive.factor < 1 || primitive.factor > kLargestFactor) {
    return Illegal("found factor " + std::to_string(primitive.factor) + ", expected 1.." +
                   std::to_string(kLargestFactor));
  }
  if (primitive.offset < 0 || primitive.offset >= primitive.factor) {
    return Illegal("found offset " + std::to_string(primitive.offset) +
                   ", expected 0 or more and less than the factor");
  }
  return {};
}

void ApplyPrimitive(StateEditor& editor, const StorageAlign& primitive) {
  std::vector<StorageAlignment>& alignments = editor.Edit(primitive.stage.id).alignments;
  const StorageAlignment added{primitive.axis, primitive.factor, primitive.offset};
  for (StorageAlignment& alignment : alignments) {
    if (alignment.axis != primitive.axis) continue;
    alignment = added;
    return;
  }
  alignments.push_back(added);
}

}  // namespace schedulegym
