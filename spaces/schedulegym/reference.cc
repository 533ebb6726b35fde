#include "spaces/schedulegym/reference.h"

#include "env/lower/lower.h"
#include "spaces/schedulegym/advice.h"
#include "spaces/schedulegym/build.h"

namespace schedulegym {
namespace {

// Nothing is inlined into reductions, nothing computed within others.
class PlainAdvice : public HeuristicAdvice {
 public:
  bool Inline(const ScheduleState&, int) override { return false; }
  bool FuseConsumer(const ScheduleState&, int) override { return false; }
  int64_t Lanes(const ScheduleState&, int, int64_t) override { return 1; }
};

}  // namespace

ScheduleState ReferenceSchedule(std::shared_ptr<const Task> task) {
  HeuristicAdvice first;
  PlainAdvice second;
  for (Advice* advice : {static_cast<Advice*>(&first), static_cast<Advice*>(&second)}) {
    Result<ScheduleState> state = BuildSchedule(task, *advice);
    if (state && Lower(*state)) return *std::move(state);
  }
  return ScheduleState::Initial(std::move(task));
}

}  // namespace schedulegym
