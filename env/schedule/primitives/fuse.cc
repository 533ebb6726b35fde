#include "env/schedule/primitives/fuse.h"

#include "env/schedule/editor.h"
#include "env/schedule/primitives/checks.h"

namespace schedulegym {

Result<void> CheckPrimitive(const ScheduleState& state, const Fuse& primitive) {
  if (primitive.loops.size() < 2) return Illegal("expected two loops or more to fuse");
  for (size_t i = 0; i < primitive.loops.size(); ++i) {
    if (auto ok = CheckPlainLoop(state, primitive.stage, primitive.loops[i]); !ok) return ok;
    if (primitive.loops[i] == primitive.loops[0] + static_cast<int>(i)) continue;
    return Illegal("loops to fuse must be adjacent and ascending");
  }
  const Stage& stage = state.stage(primitive.stage.id);
  if (stage.nodes.size() + 1 > kMostLoopNodes) {
    return Illegal("the stage would have more than " + std::to_string(kMostLoopNodes) +
                   " loop nodes");
  }
  const bool reduction = stage.nodes[stage.loops[primitive.loops[0]].node].reduction;
  int64_t product = 1;
  for (int loop : primitive.loops) {
    const LoopNode& node = stage.nodes[stage.loops[loop].node];
    if (node.reduction != reduction) {
      return Illegal("a spatial loop and a reduction cannot be fused");
    }
    if (__builtin_mul_overflow(product, node.extent, &product)) {
      return Illegal("the fused loop would be too long");
    }
  }
  return {};
}

void ApplyPrimitive(StateEditor& editor, const Fuse& primitive) {
  Stage& stage = editor.Edit(primitive.stage.id);
  const int first = primitive.loops.front();
  const int child = static_cast<int>(stage.nodes.size());
  FuseRelation relation{{}, child};
  LoopNode fused{1, stage.nodes[stage.loops[first].node].reduction};
  for (int loop : primitive.loops) {
    relation.parents.push_back(stage.loops[loop].node);
    fused.extent *= stage.nodes[stage.loops[loop].node].extent;
  }
  const std::vector<int> parents = relation.parents;
  stage.nodes.push_back(fused);
  stage.relations.emplace_back(std::move(relation));
  stage.loops[first] = {child, Annotation::kNone};
  stage.loops.erase(stage.loops.begin() + first + 1,
                    stage.loops.begin() + primitive.loops.back() + 1);
  for (int parent : parents) editor.MoveAttached(primitive.stage.id, parent, child);
}

}  // namespace schedulegym
