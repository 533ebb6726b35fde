// compute_at, compute_inline and compute_root. A stage may move to a loop if it is read, is no
// output, is not around that loop, the loop is not vectorized, no parallel loop would stand in
// another, and every reader still stands where the stage is computed (Placements). Inlining puts
// the expression in place of each read; it is refused for outputs, reductions and packs, where
// something is computed at the stage's loops, and where a reader would grow beyond 4000 nodes.
#include "env/schedule/primitives/compute.h"

#include "env/schedule/editor.h"
#include "env/schedule/placement.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {
namespace {

// Limit of the size of an expression after repeated inlining.
constexpr int kMostNodes = 4000;

int CountNodes(const Expr& expr) {
  int count = 0;
  Visit(expr, [&](const ExprNode&) { ++count; });
  return count;
}

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

Result<void> CheckPrimitive(const ScheduleState& state, const ComputeAt& primitive) {
  if (auto ok = CheckLoops(state, primitive.stage); !ok) return ok;
  if (auto ok = CheckLoop(state, primitive.target, primitive.loop); !ok) return ok;
  const int id = primitive.stage.id;
  const Stage& stage = state.stage(id);
  const Stage& target = state.stage(primitive.target.id);
  if (state.is_output(id)) return Illegal(stage.op->name + " is an output: it is computed whole");
  const Placements before(state);
  if (before.IsWithin(primitive.target.id, id, 0)) {
    return Illegal(target.op->name + " is computed within " + stage.op->name + " itself");
  }
  if (target.loops[primitive.loop].annotation == Annotation::kVectorize) {
    return Illegal("loop " + std::to_string(primitive.loop) + " of " + target.op->name +
                   " is vectorized");
  }
  if (stage.location == Location::kAt && stage.target == primitive.target.id &&
      stage.target_node == target.loops[primitive.loop].node) {
    return Illegal(stage.op->name + " is computed there already");
  }
  if (state.Consumers(id).empty()) return Illegal("nothing reads " + stage.op->name);
  const bool parallel = before.HoldsParallel(id);
  Placements after(state);
  after.MoveTo(id, primitive.target.id, primitive.loop);
  if (parallel && after.IsInParallel(id)) {
    return Illegal(stage.op->name + " is parallel itself and would stand in a parallel loop");
  }
  return after.Check();
}

void ApplyPrimitive(StateEditor& editor, const ComputeAt& primitive) {
  Stage& stage = editor.Edit(primitive.stage.id);
  stage.location = Location::kAt;
  stage.target = primitive.target.id;
  stage.target_node = editor.stage(primitive.target.id).loops[primitive.loop].node;
}

Result<void> CheckPrimitive(const ScheduleState& state, const ComputeInline& primitive) {
  if (auto ok = CheckLoops(state, primitive.stage); !ok) return ok;
  const int id = primitive.stage.id;
  const StageOp& op = *state.stage(id).effective;
  if (state.is_output(id)) return Illegal(op.name + " is an output");
  if (op.is_reduction()) return Illegal(op.name + " is a reduction");
  if (op.kind == StageKind::kPack) return Illegal(op.name + " is packed: inlined, it would vanish");
  const std::vector<int> consumers = state.Consumers(id);
  if (consumers.empty()) return Illegal("nothing reads " + op.name);
  if (auto ok = CheckNothingAttached(state, id); !ok) return ok;
  const int nodes = CountNodes(op.body);
  for (int consumer : consumers) {
    const StageOp& reader = *state.stage(consumer).effective;
    int reads = 0;
    for (const ReadAccess& read : reader.reads) reads += read.stage == id;
    if (CountNodes(reader.body) + reads * nodes > kMostNodes) {
      return Illegal("the expression of " + reader.name + " would grow beyond " +
                     std::to_string(kMostNodes) + " operations");
    }
  }
  return {};
}

void ApplyPrimitive(StateEditor& editor, const ComputeInline& primitive) {
  Stage& stage = editor.Edit(primitive.stage.id);
  stage.location = Location::kInlined;
  stage.target = -1;
  stage.target_node = -1;
  editor.ChangeInlining(primitive.stage.id);
  editor.UpdateInlining();
}

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
