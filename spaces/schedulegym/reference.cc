#include "spaces/schedulegym/reference.h"

#include "env/lower/lower.h"
#include "spaces/bind_threads.h"
#include "spaces/schedulegym/build.h"
#include "spaces/schedulegym/decision_provider.h"

namespace schedulegym {
namespace {

// Nothing is inlined into reductions, nothing computed within others.
class PlainDecisionProvider : public HeuristicDecisionProvider {
 public:
  bool Inline(const ScheduleState&, int) override { return false; }
  bool FuseConsumer(const ScheduleState&, int) override { return false; }
  int64_t Lanes(const ScheduleState&, int, int64_t) override { return 1; }
};

// A thread for each result; what may be inlined is.
ScheduleState GpuReference(std::shared_ptr<const Task> task) {
  ScheduleState state = ScheduleState::Initial(task);
  const std::vector<int> order = state.order();
  for (size_t i = order.size(); i-- > 0;) {
    const Stage& stage = state.stage(order[i]);
    if (stage.op->is_reduction() || stage.op->kind == StageKind::kInput) continue;
    if (state.is_output(order[i])) continue;
    if (Result<ScheduleState> next = Apply(state, ComputeInline{{order[i]}})) {
      state = *std::move(next);
    }
  }
  Result<ScheduleState> bound = BindThreads(state);
  return bound ? *std::move(bound) : ScheduleState::Initial(std::move(task));
}

}  // namespace

ScheduleState ReferenceSchedule(std::shared_ptr<const Task> task) {
  if (task->target.IsGpu()) return GpuReference(std::move(task));
  HeuristicDecisionProvider first;
  PlainDecisionProvider second;
  for (DecisionProvider* decisions :
       {static_cast<DecisionProvider*>(&first), static_cast<DecisionProvider*>(&second)}) {
    Result<ScheduleState> state = BuildSchedule(task, *decisions);
    if (state && Lower(*state)) return *std::move(state);
  }
  return ScheduleState::Initial(std::move(task));
}

}  // namespace schedulegym
