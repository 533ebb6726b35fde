// Layout rewrite: a weight with one tiled reader is stored in the order in which the reader's loops
// walk it. The inner tile begins at the first spatial loop within a reduction; a dimension cut by
// it becomes an outer and an inner part, outer parts sorted by their first loop, inner ones by
// their last. Where the order is unchanged there is no pack. It follows TVM's layout rewrite of
// auto_scheduler (layout_free_placeholders). Cost: O(dimensions * loops) a weight.
#include "spaces/ansor/rewrite_weights.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "spaces/ansor/stage_loops.h"
#include "spaces/nest_facts.h"

namespace schedulegym {
namespace {

constexpr int kNone = -1;

// For each node of a stage, the axis that it is a part of; kNone for fusions and their parts.
std::vector<int> AxesOfNodes(const Stage& stage) {
  std::vector<int> axes(stage.nodes.size(), kNone);
  const int count = static_cast<int>(stage.op->axes.size());
  for (int axis = 0; axis < count; ++axis) axes[axis] = axis;
  for (const Relation& relation : stage.relations) {
    const auto* split = std::get_if<SplitRelation>(&relation);
    if (split == nullptr) continue;
    const int children = static_cast<int>(split->lengths.size()) + 1;
    for (int i = 0; i < children; ++i) axes[split->first_child + i] = axes[split->parent];
  }
  return axes;
}

// Start of the inner tile: the first spatial loop within a reduction; nullopt without one.
std::optional<int> InnerTile(const Stage& stage) {
  bool reduces = false;
  for (int i = 0; i < static_cast<int>(stage.loops.size()); ++i) {
    const bool reduction = IsReductionLoop(stage, stage.loops[i]);
    if (reduces && !reduction) return i;
    reduces = reduces || reduction;
  }
  return std::nullopt;
}

// A whole dimension of a weight, or one of its two parts.
struct Part {
  int position = kNone;  // position of its loop among the reader's
  int number = 0;        // in the list of all parts
};

class Rewrite {
 public:
  Rewrite(const Stage& reader, int inner)
      : reader_(reader), inner_(inner), axes_(AxesOfNodes(reader)) {}

  // Layout for a read with these indices; nullopt if nothing would change.
  std::optional<Layout> LayoutFor(const StageOp& weight, const ReadAccess& read) const {
    Layout layout;
    std::vector<Part> outer, inside;
    int number = 0;
    for (int d = 0; d < weight.spatial; ++d) {
      const Expr& index = read.indices[d];
      const int axis = index->op == Op::kVariable ? index->id : kNone;
      const int64_t extent = weight.axes[d].extent;
      const int64_t tile = TileOf(axis);
      const bool cut = tile > 1 && tile < extent && extent % tile == 0;
      const bool is_inside = cut || tile == extent;
      layout.tile.push_back(cut ? tile : 1);
      if (cut || !is_inside) outer.push_back({Position(axis, /*in_tile=*/false), number++});
      if (is_inside) inside.push_back({Position(axis, /*in_tile=*/true), number++});
    }
    for (std::vector<Part>* parts : {&outer, &inside}) {
      std::stable_sort(parts->begin(), parts->end(),
                       [](const Part& a, const Part& b) { return a.position < b.position; });
      for (const Part& part : *parts) layout.order.push_back(part.number);
    }
    // If the parts are in order, the elements keep their positions, cut or not.
    if (std::is_sorted(layout.order.begin(), layout.order.end())) return std::nullopt;
    return layout;
  }

 private:
  // Elements of an axis within the inner tile.
  int64_t TileOf(int axis) const {
    int64_t elements = 1;
    if (axis == kNone) return elements;
    for (size_t i = inner_; i < reader_.loops.size(); ++i) {
      const int node = reader_.loops[i].node;
      if (axes_[node] == axis) elements *= reader_.nodes[node].extent;
    }
    return elements;
  }

  // Position of the first loop of an axis outside of the tile, or of its last loop within the tile.
  int Position(int axis, bool in_tile) const {
    int position = kNone;
    if (axis == kNone) return position;
    for (int i = 0; i < static_cast<int>(reader_.loops.size()); ++i) {
      const bool here = axes_[reader_.loops[i].node] == axis && (i >= inner_) == in_tile;
      if (here && (in_tile || position == kNone)) position = i;
    }
    return position;
  }

  const Stage& reader_;
  int inner_;
  std::vector<int> axes_;
};

std::optional<Pack> RewriteOf(const ScheduleState& state, int weight) {
  const std::vector<int> readers = state.Consumers(weight);
  if (readers.size() != 1) return std::nullopt;
  const Stage& reader = state.stage(readers[0]);
  if (!HasLoops(reader) || !IsTiled(reader)) return std::nullopt;
  const std::optional<int> inner = InnerTile(reader);
  if (!inner) return std::nullopt;
  const Rewrite rewrite(reader, *inner);
  for (const ReadAccess& read : reader.op->reads) {
    if (read.stage != weight) continue;
    const auto layout = rewrite.LayoutFor(*state.stage(weight).op, read);
    if (!layout) return std::nullopt;
    return Pack{{weight}, {{readers[0]}}, layout->tile, layout->order};
  }
  return std::nullopt;
}

}  // namespace

Result<ScheduleState> RewriteWeights(ScheduleState state) {
  const int stages = state.size();
  for (int id = 0; id < stages; ++id) {
    if (!IsWeightStage(state, id)) continue;
    const std::optional<Pack> pack = RewriteOf(state, id);
    if (!pack) continue;
    Result<ScheduleState> packed = Apply(std::move(state), *pack);
    if (!packed) return packed;
    state = *std::move(packed);
  }
  return state;
}

Trace WithoutRewrites(const ScheduleState& state) {
  Trace trace = state.trace();
  while (!trace.empty() && std::holds_alternative<Pack>(trace.back())) trace.pop_back();
  return trace;
}

}  // namespace schedulegym
