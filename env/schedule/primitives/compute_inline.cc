#include "env/schedule/primitives/compute_inline.h"

#include "env/schedule/editor.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {
namespace {

// Bounds what repeated inlining of a stage that is read often may grow to.
constexpr int kMostNodes = 4000;

int CountNodes(const Expr& expr) {
  int count = 0;
  Visit(expr, [&](const ExprNode&) { ++count; });
  return count;
}

}  // namespace

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

}  // namespace schedulegym
