#include "env/schedule/thread_scope.h"

#include <algorithm>

namespace schedulegym {

bool IsWithinThreads(const ScheduleState& state, int id) {
  while (state.stage(id).location == Location::kAt) {
    const Stage& stage = state.stage(id);
    id = stage.target;
    for (const StageLoop& loop : state.stage(id).loops) {
      if (IsThreadLoop(loop.annotation)) return true;
      if (loop.node == stage.target_node) break;
    }
  }
  return false;
}

namespace {

int RootOf(const ScheduleState& state, int id) {
  while (state.stage(id).location == Location::kAt) id = state.stage(id).target;
  return id;
}

bool HasThreads(const ScheduleState& state, int root) {
  for (int id = 0; id < state.size(); ++id) {
    const Stage& stage = state.stage(id);
    const bool has_loop = std::ranges::any_of(
        stage.loops, [](const StageLoop& loop) { return IsThreadLoop(loop.annotation); });
    if (has_loop && RootOf(state, id) == root) return true;
  }
  return false;
}

}  // namespace

MemoryScope ScopeOnGpu(const ScheduleState& state, int id) {
  const StageOp& op = *state.stage(id).op;
  const bool is_copy = op.kind == StageKind::kCache || op.kind == StageKind::kPack;
  if (is_copy) return op.scope;
  const bool is_own = IsWithinThreads(state, id) || !HasThreads(state, RootOf(state, id));
  return is_own ? MemoryScope::kLocal : MemoryScope::kShared;
}

bool IsForBlock(const ScheduleState& state, int id) {
  return state.task().target.IsGpu() && state.stage(id).location == Location::kAt &&
         ScopeOnGpu(state, id) == MemoryScope::kShared;
}

}  // namespace schedulegym
