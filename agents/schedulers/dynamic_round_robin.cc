// A baseline of DynaTune (Zhang et al., ICLR 2021): its dynamic slots, without its belief.
#include "agents/schedulers/dynamic_round_robin.h"

#include <algorithm>

#include "agents/schedulers/slot.h"

namespace schedulegym {
namespace {

class DynamicRoundRobin : public TaskScheduler {
 public:
  explicit DynamicRoundRobin(const SlotOptions& options)
      : patience_(options.task_patience), slot_(options.slot) {}

  std::optional<int> Next(const Standing& standing) override {
    const std::vector<int> active = ActiveTasks(standing.curves, patience_);
    if (const auto holder = slot_.Holder(standing, active)) return holder;
    if (active.empty()) return std::nullopt;
    const auto next = std::find_if(active.begin(), active.end(),
                                   [&](int task) { return task > slot_.last().value_or(-1); });
    return slot_.Give(next == active.end() ? active.front() : *next, standing);
  }

 private:
  int64_t patience_;
  GivenSlot slot_;
};

}  // namespace

std::unique_ptr<TaskScheduler> MakeDynamicRoundRobin(const Spec& spec, const SchedulerContext&) {
  return std::make_unique<DynamicRoundRobin>(ReadSlotOptions(spec));
}

}  // namespace schedulegym
