#include "spaces/ansor/stage_loops.h"

namespace schedulegym {

bool HasLoops(const Stage& stage) {
  return stage.op->kind != StageKind::kInput && stage.location != Location::kInlined;
}

bool IsTiled(const Stage& stage) { return stage.loops.size() != stage.op->axes.size(); }

bool IsReductionLoop(const Stage& stage, const StageLoop& loop) {
  return stage.nodes[loop.node].reduction;
}

std::vector<int64_t> ExtentsOf(const ScheduleState& state, int stage) {
  const Stage& data = state.stage(stage);
  if (data.location != Location::kRoot) return ExtentsOf(InferLoops(state), stage);
  std::vector<int64_t> extents;
  for (const StageLoop& loop : data.loops) extents.push_back(data.nodes[loop.node].extent);
  return extents;
}

std::vector<int64_t> ExtentsOf(const LoopStructure& structure, int stage) {
  std::vector<int64_t> extents;
  for (const StructureStage& found : structure.stages) {
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
