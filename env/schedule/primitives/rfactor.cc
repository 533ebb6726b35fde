#include "env/schedule/primitives/rfactor.h"

#include "env/schedule/editor.h"
#include "env/schedule/loop_structure.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {
namespace {

Result<void> CheckSplitsDivide(const Stage& stage) {
  for (const Relation& relation : stage.relations) {
    const SplitRelation* split = std::get_if<SplitRelation>(&relation);
    if (!split || !stage.nodes[split->parent].reduction) continue;
    int64_t product = 1;
    for (size_t i = 0; i <= split->lengths.size(); ++i) {
      product *= stage.nodes[split->first_child + static_cast<int>(i)].extent;
    }
    if (product == stage.nodes[split->parent].extent) continue;
    return Illegal("a split of the reduction of " + stage.op->name + " does not divide " +
                   std::to_string(stage.nodes[split->parent].extent));
  }
  return {};
}

// The loops over spatial axes are as they were at first.
bool SpatialUntouched(const Stage& stage) {
  int next = 0;
  for (const StageLoop& loop : stage.loops) {
    if (stage.nodes[loop.node].reduction) continue;
    if (loop.node != next++ || loop.annotation != Annotation::kNone) return false;
  }
  return next == stage.op->spatial;
}

}  // namespace

Result<void> CheckPrimitive(const ScheduleState& state, const Rfactor& primitive) {
  if (auto ok = CheckPlainLoop(state, primitive.stage, primitive.loop); !ok) return ok;
  const int id = primitive.stage.id;
  const Stage& stage = state.stage(id);
  if (!stage.nodes[stage.loops[primitive.loop].node].reduction) {
    return Illegal("loop " + std::to_string(primitive.loop) + " of " + stage.op->name +
                   " is spatial, expected a reduction");
  }
  if (primitive.axis < 0 || primitive.axis > stage.op->spatial) {
    return Illegal("found axis " + std::to_string(primitive.axis) + ", expected 0.." +
                   std::to_string(stage.op->spatial));
  }
  if (!SpatialUntouched(stage)) {
    return Illegal("the spatial loops of " + stage.op->name +
                   " have been changed: rfactor comes first");
  }
  if (auto ok = CheckSplitsDivide(stage); !ok) return ok;
  if (auto ok = CheckNothingAttached(state, id); !ok) return ok;
  return CheckProducersAtRoot(state, id);
}

void ApplyPrimitive(StateEditor& editor, const Rfactor& primitive) {
  const int id = primitive.stage.id;
  const Stage& stage = editor.stage(id);
  const StageOp& original = *stage.op;
  StageOp partial = original;
  partial.name = editor.FreshName(original.name, "rf");
  partial.kind = StageKind::kRfactor;
  partial.tensor = -1;
  partial.source = id;
  partial.axes.resize(original.spatial);
  const int factor = stage.loops[primitive.loop].node;
  const LoopNames names = NameLoops(stage);
  partial.axes.insert(partial.axes.begin() + primitive.axis,
                      {names[primitive.loop], stage.nodes[factor].extent});
  partial.spatial = original.spatial + 1;

  // Variables of the partial stage: its spatial axes, then the other reduction loops in order.
  std::vector<Expr> node_values(stage.nodes.size());
  for (int i = 0; i < original.spatial; ++i) {
    node_values[i] = Variable(i < primitive.axis ? i : i + 1);
  }
  node_values[factor] = Variable(primitive.axis);
  for (size_t i = 0; i < stage.loops.size(); ++i) {
    const int node = stage.loops[i].node;
    if (!stage.nodes[node].reduction || node == factor) continue;
    node_values[node] = Variable(static_cast<int>(partial.axes.size()));
    partial.axes.push_back({names[i], stage.nodes[node].extent});
  }
  if (static_cast<int>(partial.axes.size()) == partial.spatial) partial.combiner = Combiner::kNone;
  std::vector<int64_t> extents;
  for (const LoopNode& node : stage.nodes) extents.push_back(node.extent);
  ResolveNodeValues(stage, extents, node_values);
  partial.body = Transform(original.body, [&](const Expr& leaf) -> Expr {
    return leaf->op == Op::kVariable ? node_values[leaf->id] : nullptr;
  });

  StageOp rest = original;
  rest.axes.resize(original.spatial);
  rest.axes.push_back({names[primitive.loop], stage.nodes[factor].extent});
  std::vector<Expr> indices;
  for (int i = 0; i < original.spatial; ++i) indices.push_back(Variable(i));
  indices.insert(indices.begin() + primitive.axis, Variable(original.spatial));
  const int added = editor.AddBefore(id, std::move(partial));
  rest.body = Read(rest.type, added, std::move(indices));

  Stage& edited = editor.Edit(id);
  Stage fresh = FreshStage(FinishStageOp(std::move(rest)));
  fresh.location = edited.location;
  fresh.target = edited.target;
  fresh.target_node = edited.target_node;
  fresh.alignments = edited.alignments;
  edited = std::move(fresh);
  editor.UpdateInlining();
}

}  // namespace schedulegym
