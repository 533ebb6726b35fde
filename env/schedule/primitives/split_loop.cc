#include "env/schedule/primitives/split_loop.h"

#include "env/schedule/editor.h"
#include "env/schedule/loop_tree.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {
namespace {

// Beyond it extents could overflow when multiplied.
constexpr int64_t kLongestLoop = int64_t{1} << 40;

// By how much the lengths go beyond the extent that they cut: it multiplies from split to split,
// and stands in indices.
double Excess(int64_t extent, const std::vector<int64_t>& lengths) {
  double product = 1;
  for (int64_t length : lengths) product *= static_cast<double>(length);
  return std::max(1.0, product / static_cast<double>(std::max<int64_t>(extent, 1)));
}

// Of all splits of the stage together.
double Excess(const Stage& stage) {
  double excess = 1;
  for (const Relation& relation : stage.relations) {
    const auto* split = std::get_if<SplitRelation>(&relation);
    if (split) excess *= Excess(stage.nodes[split->parent].extent, split->lengths);
  }
  return excess;
}

}  // namespace

Result<void> CheckSplitLoop(const ScheduleState& state, StageRef stage, int loop,
                            const std::vector<int64_t>& lengths) {
  if (auto ok = CheckPlainLoop(state, stage, loop); !ok) return ok;
  if (lengths.empty()) return Illegal("found no lengths, expected at least one");
  int64_t product = 1;
  for (int64_t length : lengths) {
    if (length < 1) {
      return Illegal("found length " + std::to_string(length) + ", expected 1 or more");
    }
    if (length > kLongestLoop / product) return Illegal("the product of the lengths is too large");
    product *= length;
  }
  const Stage& data = state.stage(stage.id);
  const int64_t extent = data.nodes[data.loops[loop].node].extent;
  if (Excess(data) * Excess(extent, lengths) > static_cast<double>(kLongestLoop)) {
    return Illegal("the lengths of all splits go too far beyond the extents");
  }
  if (data.nodes.size() + lengths.size() + 1 > kMostLoopNodes) {
    return Illegal("the stage would have more than " + std::to_string(kMostLoopNodes) +
                   " loop nodes");
  }
  return {};
}

void SplitLoop(StateEditor& editor, int stage, int loop, const std::vector<int64_t>& lengths,
               bool outer_given) {
  Stage& data = editor.Edit(stage);
  const int parent = data.loops[loop].node;
  const int first = static_cast<int>(data.nodes.size());
  const int count = static_cast<int>(lengths.size()) + 1;
  SplitRelation relation{parent, first, lengths, outer_given};
  const std::vector<int64_t> extents = SplitExtents(relation, data.nodes[parent].extent);
  const bool reduction = data.nodes[parent].reduction;
  for (int64_t extent : extents) data.nodes.push_back({extent, reduction});
  data.relations.emplace_back(std::move(relation));
  data.loops[loop].node = first;
  data.loops.insert(data.loops.begin() + loop + 1, count - 1, StageLoop{});
  for (int i = 1; i < count; ++i) data.loops[loop + i].node = first + i;
  editor.MoveAttached(stage, parent, first + count - 1);
}

Result<const Split*> SourceSplit(const ScheduleState& state, int position) {
  if (position < 0 || position >= state.trace_size()) {
    return Illegal("found source " + std::to_string(position) + ", but the trace has " +
                   std::to_string(state.trace_size()) + " steps");
  }
  const Primitive& step = state.step(position);
  const Split* split = std::get_if<Split>(&step);
  if (!split) {
    return Illegal("step " + std::to_string(position) + " is a " + std::string(NameOf(step)) +
                   ", expected a split");
  }
  return split;
}

}  // namespace schedulegym
