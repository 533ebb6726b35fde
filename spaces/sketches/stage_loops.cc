#include "spaces/sketches/stage_loops.h"

#include "env/schedule/loop_structure.h"

namespace schedulegym {

bool HasLoops(const Stage& stage) {
  return stage.op->kind != StageKind::kInput && stage.location != Location::kInlined;
}

bool IsTiled(const Stage& stage) { return stage.loops.size() != stage.op->axes.size(); }

bool IsReductionLoop(const Stage& stage, const StageLoop& loop) {
  return stage.nodes[loop.node].reduction;
}

std::vector<int64_t> ExtentsOf(const ScheduleState& state, int stage) {
  std::vector<int64_t> extents;
  for (const StructureStage& found : InferLoops(state).stages) {
    if (found.stage != stage) continue;
    for (const StructureLoop& loop : found.loops) extents.push_back(loop.extent);
  }
  return extents;
}

std::vector<int> AttachedAt(const ScheduleState& state, int target, int loop) {
  const int node = state.stage(target).loops[loop].node;
  std::vector<int> attached;
  for (int id : state.order()) {
    const Stage& stage = state.stage(id);
    if (stage.location != Location::kAt || stage.target != target) continue;
    if (stage.target_node == node) attached.push_back(id);
  }
  return attached;
}

}  // namespace schedulegym
