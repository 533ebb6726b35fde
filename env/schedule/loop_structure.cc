#include "env/schedule/loop_structure.h"

#include <algorithm>

#include "env/schedule/loop_tree.h"

namespace schedulegym {
namespace {

// How many values an index takes when the axes take `spans` values; more where it is not linear.
int64_t SpanOf(const Expr& index, std::span<const int64_t> spans) {
  switch (index->op) {
    case Op::kInteger: return 1;
    case Op::kVariable: return spans[index->id];
    case Op::kAdd:
    case Op::kSubtract: return SpanOf(index->args[0], spans) + SpanOf(index->args[1], spans) - 1;
    case Op::kMultiply: {
      const bool left = IsConstant(index->args[0]);
      const int64_t factor = index->args[left ? 0 : 1]->integer;
      return (SpanOf(index->args[left ? 1 : 0], spans) - 1) * std::abs(factor) + 1;
    }
    case Op::kFloorDivide: {
      const int64_t span = SpanOf(index->args[0], spans);
      const int64_t divisor = index->args[1]->integer;
      return span % divisor == 0 ? span / divisor : span == 1 ? 1 : (span - 2) / divisor + 2;
    }
    case Op::kModulo: {
      const int64_t span = SpanOf(index->args[0], spans);
      return std::min(span, index->args[1]->integer);
    }
    default: return INT64_MAX / 4;
  }
}

// The hull, along one dimension, of several reads of one stage.
struct Hull {
  const Affine* first = nullptr;  // null once reads differ in more than a constant
  int64_t low = 0, high = 0;      // of the constants, when first is set
  int64_t span = 0;
  bool irregular = false;

  void Add(const std::optional<Affine>& affine, const Expr& index, std::span<const int64_t> spans) {
    span = std::max(span, SpanOf(index, spans));
    if (!affine || (first && first->terms != affine->terms)) irregular = irregular || first;
    if (!affine) return;
    if (!first) {
      first = &*affine;
      low = high = affine->constant;
    }
    low = std::min(low, affine->constant);
    high = std::max(high, affine->constant);
  }
};

class Inference {
 public:
  explicit Inference(const ScheduleState& state)
      : state_(state), entries_(state.size()), extents_(state.size()) {}

  LoopStructure Run() {
    const std::vector<int>& order = state_.order();
    for (size_t i = order.size(); i-- > 0;) Visit(order[i]);
    LoopStructure structure;
    for (int id : order) {
      if (!extents_[id].empty()) structure.stages.push_back(std::move(entries_[id]));
    }
    return structure;
  }

 private:
  void Visit(int id) {
    const Stage& stage = state_.stage(id);
    if (stage.loops.empty() || stage.location == Location::kInlined) return;
    StructureStage& entry = entries_[id];
    entry.stage = id;
    const std::vector<Axis>& axes = stage.effective->axes;
    std::vector<int64_t> axis_extents;
    for (const Axis& axis : axes) axis_extents.push_back(axis.extent);
    if (stage.location == Location::kAt) {
      entry.parent = stage.target;
      entry.parent_loop = state_.stage(stage.target).FindLoop(stage.target_node);
      const auto region = RegionAt(id, entry.parent, entry.parent_loop);
      std::copy(region.begin(), region.end(), axis_extents.begin());
    }
    entry.region.assign(axis_extents.begin(), axis_extents.begin() + stage.effective->spatial);
    extents_[id] = NodeExtents(stage, axis_extents);
    entry.loops.reserve(stage.loops.size());
    for (const StageLoop& loop : stage.loops) {
      entry.loops.push_back(
          {loop.node, extents_[id][loop.node], loop.annotation, stage.nodes[loop.node].reduction});
    }
  }

  // How much of each dimension of `id` its consumers read while the loops of `target` up to
  // position `loop`, and those around, stand still.
  std::vector<int64_t> RegionAt(int id, int target, int loop) const {
    const StageOp& op = *state_.stage(id).effective;
    std::vector<Hull> hulls(op.spatial);
    for (int reader : state_.order()) {
      const Stage& stage = state_.stage(reader);
      if (stage.location == Location::kInlined) continue;
      std::vector<int64_t> spans;
      for (const ReadAccess& read : stage.effective->reads) {
        if (read.stage != id) continue;
        if (spans.empty()) spans = SpansAt(reader, target, loop);
        for (int d = 0; d < op.spatial; ++d) hulls[d].Add(read.affine[d], read.indices[d], spans);
      }
    }
    std::vector<int64_t> region(op.spatial);
    for (int d = 0; d < op.spatial; ++d) {
      const int64_t span = hulls[d].span + (hulls[d].high - hulls[d].low);
      const int64_t extent = op.axes[d].extent;
      region[d] = hulls[d].irregular ? extent : std::clamp<int64_t>(span, 1, extent);
    }
    return region;
  }

  std::vector<int64_t> SpansAt(int reader, int target, int loop) const {
    const Stage& stage = state_.stage(reader);
    if (reader == target) return AxisSpans(stage, extents_[reader], loop);
    std::vector<int64_t> spans = RegionAt(reader, target, loop);
    for (size_t i = stage.effective->spatial; i < stage.effective->axes.size(); ++i) {
      spans.push_back(stage.effective->axes[i].extent);
    }
    return spans;
  }

  const ScheduleState& state_;
  std::vector<StructureStage> entries_;
  std::vector<std::vector<int64_t>> extents_;  // of the nodes of each stage
};

}  // namespace

LoopStructure InferLoops(const ScheduleState& state) { return Inference(state).Run(); }

}  // namespace schedulegym
