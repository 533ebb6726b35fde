// A baseline of DynaTune (Zhang et al., ICLR 2021): its dynamic slots, without its curve model.
#include "agents/schedulers/builtin_schedulers.h"

#include <algorithm>

#include "agents/schedulers/slot.h"

namespace schedulegym {
namespace {

// The first of the tasks with the fewest turns.
class RoundRobin : public TaskScheduler {
 public:
  std::optional<int> Next(const SchedulerView& view) override {
    std::optional<int> next;
    size_t fewest = 0;
    for (int i = 0; i < static_cast<int>(view.curves.size()); ++i) {
      const TaskCurve& curve = view.curves[i];
      const size_t turns = curve.own_turns().size();
      if (curve.finished || (next && turns >= fewest)) continue;
      next = i;
      fewest = turns;
    }
    return next;
  }
};

class DynamicRoundRobin : public TaskScheduler {
 public:
  explicit DynamicRoundRobin(const SlotOptions& options)
      : patience_(options.task_patience), slot_(options.slot) {}

  std::optional<int> Next(const SchedulerView& view) override {
    const std::vector<int> active = ActiveTasks(view.curves, patience_);
    if (const auto holder = slot_.Holder(view, active)) return holder;
    if (active.empty()) return std::nullopt;
    const auto next = std::find_if(active.begin(), active.end(),
                                   [&](int task) { return task > slot_.last().value_or(-1); });
    return slot_.Give(next == active.end() ? active.front() : *next, view);
  }

 private:
  int64_t patience_;
  GivenSlot slot_;
};

}  // namespace

std::unique_ptr<TaskScheduler> MakeRoundRobin(const Spec& spec, const SchedulerContext&) {
  SpecReader(spec, "scheduler").Finish();
  return std::make_unique<RoundRobin>();
}

std::unique_ptr<TaskScheduler> MakeDynamicRoundRobin(const Spec& spec, const SchedulerContext&) {
  return std::make_unique<DynamicRoundRobin>(ReadSlotOptions(spec));
}

}  // namespace schedulegym
