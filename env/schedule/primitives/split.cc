#include "env/schedule/primitives/split.h"

#include "env/schedule/editor.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {
namespace {

std::vector<int64_t> FollowedLengths(const std::vector<int64_t>& source, int count) {
  std::vector<int64_t> lengths(source.begin(), source.begin() + count - 1);
  int64_t rest = 1;
  for (size_t i = static_cast<size_t>(count) - 1; i < source.size(); ++i) rest *= source[i];
  lengths.push_back(rest);
  return lengths;
}

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

Result<void> CheckPrimitive(const ScheduleState& state, const Split& primitive) {
  return CheckSplitLoop(state, primitive.stage, primitive.loop, primitive.lengths);
}

void ApplyPrimitive(StateEditor& editor, const Split& primitive) {
  SplitLoop(editor, primitive.stage.id, primitive.loop, primitive.lengths,
            !primitive.inner_to_outer);
}

Result<void> CheckPrimitive(const ScheduleState& state, const FollowSplit& primitive) {
  auto source = SourceSplit(state, primitive.source);
  if (!source) return source.error();
  const int available = static_cast<int>((*source)->lengths.size());
  if (primitive.count < 1 || primitive.count > available) {
    return Illegal("found count " + std::to_string(primitive.count) + ", expected 1.." +
                   std::to_string(available) + " as the followed split has lengths");
  }
  return CheckSplitLoop(state, primitive.stage, primitive.loop,
                        FollowedLengths((*source)->lengths, primitive.count));
}

void ApplyPrimitive(StateEditor& editor, const FollowSplit& primitive) {
  const Split& source = **SourceSplit(editor.state(), primitive.source);
  SplitLoop(editor, primitive.stage.id, primitive.loop,
            FollowedLengths(source.lengths, primitive.count), !source.inner_to_outer);
}

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
