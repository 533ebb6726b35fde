#include "env/schedule/primitives/follow_split.h"

#include "env/schedule/editor.h"
#include "env/schedule/primitives/split_loop.h"

namespace schedulegym {
namespace {

std::vector<int64_t> FollowedLengths(const std::vector<int64_t>& source, int count) {
  std::vector<int64_t> lengths(source.begin(), source.begin() + count - 1);
  int64_t rest = 1;
  for (size_t i = static_cast<size_t>(count) - 1; i < source.size(); ++i) rest *= source[i];
  lengths.push_back(rest);
  return lengths;
}

}  // namespace

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

}  // namespace schedulegym
