#include "env/schedule/primitives/follow_fused_split.h"

#include "env/schedule/editor.h"
#include "env/schedule/primitives/split_loop.h"

namespace schedulegym {
namespace {

Result<int64_t> FusedLength(const ScheduleState& state, const FollowFusedSplit& primitive) {
  if (primitive.sources.empty()) return Illegal("found no sources, expected at least one");
  int64_t product = 1;
  for (int position : primitive.sources) {
    auto source = SourceSplit(state, position);
    if (!source) return source.error();
    const int levels = static_cast<int>((*source)->lengths.size());
    if (primitive.level < 0 || primitive.level >= levels) {
      return Illegal("found level " + std::to_string(primitive.level) + ", expected 0.." +
                     std::to_string(levels - 1) + " as the followed split has lengths");
    }
    if (__builtin_mul_overflow(product, (*source)->lengths[primitive.level], &product)) {
      return Illegal("the product of the followed lengths is too large");
    }
  }
  return product;
}

}  // namespace

Result<void> CheckPrimitive(const ScheduleState& state, const FollowFusedSplit& primitive) {
  auto length = FusedLength(state, primitive);
  if (!length) return length.error();
  return CheckSplitLoop(state, primitive.stage, primitive.loop, {*length});
}

void ApplyPrimitive(StateEditor& editor, const FollowFusedSplit& primitive) {
  SplitLoop(editor, primitive.stage.id, primitive.loop, {*FusedLength(editor.state(), primitive)},
            !primitive.factor);
}

}  // namespace schedulegym
