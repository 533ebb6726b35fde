#include "spaces/schedulegym/reference.h"

#include "env/lower/lower.h"
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

}  // namespace

ScheduleState ReferenceSchedule(std::shared_ptr<const Task> task) {
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
