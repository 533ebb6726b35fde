// By how many elements each access of a stage moves with one step of each of its loops. A loop
// leads back to its axis: a split's child moves stride_i of the parent; of a fused loop the parent
// that one step moves, whole turns of inner parents divided out. The axis moves the address by its
// coefficient times the dimension's step, in a packed layout by whole tiles where it divides. Not
// linear: none. A producer computed within one of the loops does not move with the loops around it.
// Cost: O(loops * accesses * dimensions).
#include "env/gym/observations/loop_strides.h"

#include <span>

#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// An axis, and by how much one step of a loop node moves it.
struct NodeStep {
  int axis = 0;
  int64_t by = 0;
};

// Leads from a loop back to the axis that it moves.
class NodeSteps {
 public:
  explicit NodeSteps(const Stage& stage) : stage_(stage), origins_(stage.nodes.size()) {
    for (const Relation& relation : stage.relations) {
      if (const auto* split = std::get_if<SplitRelation>(&relation)) {
        AddSplit(*split);
      } else {
        const auto& fuse = std::get<FuseRelation>(relation);
        origins_[fuse.child] = {fuse.parents, 1};
      }
    }
  }

  // The axis that one step of a node moves, and by how much.
  NodeStep Of(int node) const {
    int64_t by = 1;
    while (!origins_[node].parents.empty()) {
      const Origin& origin = origins_[node];
      by *= origin.by;
      size_t parent = origin.parents.size() - 1;
      // These steps are whole turns of an inner part, so the next outer part moves.
      for (; parent > 0; --parent) {
        const int64_t extent = stage_.nodes[origin.parents[parent]].extent;
        if (by % extent != 0) break;
        by /= extent;
      }
      node = origin.parents[parent];
    }
    return {node, by};
  }

 private:
  // Number of steps of the fused `parents` for one of the node; empty for an axis.
  struct Origin {
    std::span<const int> parents;
    int64_t by = 1;
  };

  void AddSplit(const SplitRelation& split) {
    const std::vector<int64_t> strides = SplitStrides(split, stage_.nodes[split.parent].extent);
    for (size_t i = 0; i < strides.size(); ++i) {
      origins_[split.first_child + i] = {{&split.parent, 1}, strides[i]};
    }
  }

  const Stage& stage_;
  std::vector<Origin> origins_;
};

// Strides of a buffer's dimension in memory: of a whole tile and of an element within one.
struct BufferSteps {
  std::vector<int64_t> outer, inner, tile;

  int64_t Of(size_t dimension, int64_t by) const {
    const int64_t length = tile[dimension];
    if (length > 1 && by % length == 0) return by / length * outer[dimension];
    return by * inner[dimension];
  }
};

BufferSteps StepsOf(const StageOp& op, const std::vector<int64_t>& shape) {
  const auto count = static_cast<size_t>(op.spatial);
  BufferSteps steps{std::vector<int64_t>(count), std::vector<int64_t>(count),
                    std::vector<int64_t>(count, 1)};
  if (op.layout.empty()) {
    int64_t by = 1;
    for (size_t d = count; d-- > 0; by *= shape[d]) steps.outer[d] = steps.inner[d] = by;
    return steps;
  }
  steps.tile = op.layout.tile;
  std::vector<std::pair<int64_t*, int64_t>> stored;  // its step, its extent
  for (size_t d = 0; d < count; ++d) {
    const int64_t tile = op.layout.tile[d];
    if (tile > 1) stored.emplace_back(&steps.outer[d], (shape[d] + tile - 1) / tile);
    stored.emplace_back(&steps.inner[d], tile > 1 ? tile : shape[d]);
  }
  int64_t by = 1;
  for (size_t i = op.layout.order.size(); i-- > 0;) {
    const auto& [step, extent] = stored[op.layout.order[i]];
    *step = by;
    by *= extent;
  }
  for (size_t d = 0; d < count; ++d) {
    if (steps.tile[d] <= 1) steps.outer[d] = steps.inner[d];
  }
  return steps;
}

const StructureStage* Find(const LoopStructure& structure, int stage) {
  for (const StructureStage& entry : structure.stages) {
    if (entry.stage == stage) return &entry;
  }
  return nullptr;
}

// Shape of a stage without loops, such as an input.
std::vector<int64_t> ShapeOf(const StageOp& op) {
  std::vector<int64_t> shape;
  for (int d = 0; d < op.spatial; ++d) shape.push_back(op.axes[d].extent);
  return shape;
}

// Elements by which one step of an axis moves an index; nullopt if the index is not linear.
std::optional<int64_t> Moved(const ReadAccess& read, const BufferSteps& buffer,
                             const NodeStep& step) {
  int64_t moved = 0;
  for (size_t d = 0; d < read.affine.size(); ++d) {
    if (!read.affine[d]) return std::nullopt;
    const int64_t coefficient = read.affine[d]->Coefficient(step.axis);
    if (coefficient != 0) moved += buffer.Of(d, coefficient * step.by);
  }
  return moved;
}

}  // namespace

std::vector<AccessStrides> LoopStrides(const ScheduleState& state, const LoopStructure& structure,
                                       const StructureStage& entry) {
  const Stage& stage = state.stage(entry.stage);
  const NodeSteps nodes(stage);
  std::vector<NodeStep> steps;  // by loop
  steps.reserve(entry.loops.size());
  for (const StructureLoop& loop : entry.loops) steps.push_back(nodes.Of(loop.node));
  std::vector<AccessStrides> accesses;
  accesses.reserve(stage.effective->reads.size() + 1);
  const BufferSteps own = StepsOf(*stage.op, entry.region);
  AccessStrides& stored = accesses.emplace_back(AccessStrides{entry.stage, {}});
  stored.by_loop.reserve(steps.size());
  for (const NodeStep& step : steps) {
    const bool is_spatial = step.axis < stage.effective->spatial;
    stored.by_loop.emplace_back(is_spatial ? own.Of(step.axis, step.by) : 0);
  }
  for (const ReadAccess& read : stage.effective->reads) {
    const StageOp& op = *state.stage(read.stage).op;
    const StructureStage* source = Find(structure, read.stage);
    const BufferSteps buffer = StepsOf(op, source == nullptr ? ShapeOf(op) : source->region);
    const bool is_within = source != nullptr && source->parent == entry.stage;
    const int anew = is_within ? source->parent_loop : -1;
    AccessStrides& access = accesses.emplace_back(AccessStrides{read.stage, {}});
    access.by_loop.reserve(steps.size());
    for (int loop = 0; loop < static_cast<int>(steps.size()); ++loop) {
      access.by_loop.push_back(loop <= anew ? 0 : Moved(read, buffer, steps[loop]));
    }
  }
  return accesses;
}

}  // namespace schedulegym
