#include "env/lower/walk.h"

#include "env/schedule/thread_scope.h"

namespace schedulegym {

// Computes the stages attached to this loop, producers first, then goes on inward.
StatementPtr Walker::ComputeAttached(Job job, int position) {
  const int node = job.nest.LoopNode(position);
  std::vector<int> here;
  for (int id : attached_[job.nest.id]) {
    if (builder_.state().stage(id).target_node == node) here.push_back(id);
  }
  if (here.empty()) return Enter(std::move(job), position + 1);
  std::vector<Binding> bindings;
  const std::vector<std::optional<Region>> limits = builder_.limits();
  // Consumers first, since regions follow from them.
  for (size_t i = here.size(); i-- > 0;) {
    const Stage& stage = builder_.state().stage(here[i]);
    Region region = RequiredRegion(builder_, job.nest, here[i], live_, bindings);
    const int buffer = builder_.AddBuffer(stage, region.extent, ScopeOf(here[i], region));
    builder_.residence(here[i]) = {buffer, std::move(region)};
  }
  std::vector<StatementPtr> statements;
  for (int id : here) statements.push_back(LowerStage(id, builder_.residence(id).region));
  statements.push_back(Enter(std::move(job), position + 1));
  StatementPtr body = Sequence(std::move(statements));
  for (size_t i = here.size(); i-- > 0;) {
    if (body) body = MakeStatement(Allocate{builder_.residence(here[i]).buffer, std::move(body)});
    builder_.residence(here[i]) = {};
  }
  builder_.limits() = limits;
  return Wrap(bindings, std::move(body));
}

// Small regions of a CPU's single thread are on the stack or in registers, unless a parallel loop
// within would share the memory.
MemoryScope Walker::ScopeOf(int id, const Region& region) const {
  const ScheduleState& state = builder_.state();
  if (state.task().target.IsGpu()) return ScopeOnGpu(state, id);
  const Stage& stage = state.stage(id);
  constexpr int64_t kMostBytes = 16 << 10;
  int64_t bytes = SizeInBytes(stage.op->type);
  for (int64_t extent : region.extent) bytes *= extent;
  if (bytes > kMostBytes || !stage.op->layout.empty()) return MemoryScope::kGlobal;
  for (const StagePtr& other : state.stages()) {
    for (const StageLoop& loop : other->loops) {
      if (loop.annotation != Annotation::kParallel) continue;
      // Parallel loops outside of the attachment do no harm. Only loops of this stage, its consumer
      // or stages within are checked, which needs no walk.
      if (other.get() == &stage || other->location == Location::kAt) return MemoryScope::kGlobal;
      const Stage& target = *state.stages()[stage.target];
      if (other.get() != &target) continue;
      if (target.FindLoop(loop.node) > target.FindLoop(stage.target_node))
        return MemoryScope::kGlobal;
    }
  }
  return MemoryScope::kLocal;
}

}  // namespace schedulegym
