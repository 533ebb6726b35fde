// Two baselines of DynaTune (Zhang et al., ICLR 2021): slots in random order with static equal
// budgets, and its dynamic slots without its curve model.
#include "agents/schedulers/builtin_schedulers.h"

#include "agents/schedulers/equal_shares.h"
#include "agents/schedulers/slot.h"

namespace schedulegym {
namespace {

class RandomOrder : public TaskScheduler {
 public:
  RandomOrder(const Slot& slot, const SchedulerContext& context)
      : slot_(slot), batch_(context.batch), rng_(context.rng) {}

  // Once no turn fits into any share, the task with the least spending gets the rest.
  std::optional<int> Next(const SchedulerView& view) override {
    const std::vector<int> may = WithinShares(view);
    if (const auto holder = slot_.Holder(view, may)) return holder;
    if (may.empty()) return LeastTried(view.curves);
    return slot_.Give(may[rng_.Below(std::ssize(may))], view);
  }

 private:
  // Returns the tasks within their shares, and those without a turn yet.
  std::vector<int> WithinShares(const SchedulerView& view) const {
    const EqualShare share = ShareOf(view);
    std::vector<int> may;
    for (int task : ActiveTasks(view.curves)) {
      const TaskCurve& curve = view.curves[task];
      Spending spent;
      spent.Add(curve);
      if (curve.own_turns().empty() || share.Holds(spent, batch_)) may.push_back(task);
    }
    return may;
  }

  GivenSlot slot_;
  int batch_;
  Rng rng_;
};

class DynamicRandom : public TaskScheduler {
 public:
  DynamicRandom(const SlotOptions& options, const Rng& rng)
      : patience_(options.task_patience), slot_(options.slot), rng_(rng) {}

  std::optional<int> Next(const SchedulerView& view) override {
    const std::vector<int> active = ActiveTasks(view.curves, patience_);
    if (const auto holder = slot_.Holder(view, active)) return holder;
    if (active.empty()) return std::nullopt;
    return slot_.Give(active[rng_.Below(std::ssize(active))], view);
  }

 private:
  int64_t patience_;
  GivenSlot slot_;
  Rng rng_;
};

}  // namespace

std::unique_ptr<TaskScheduler> MakeRandomOrder(const Spec& spec, const SchedulerContext& context) {
  SpecReader reader(spec, "scheduler");
  const Slot slot = ReadSlot(reader, spec.name);
  reader.Finish();
  return std::make_unique<RandomOrder>(slot, context);
}

std::unique_ptr<TaskScheduler> MakeDynamicRandom(const Spec& spec,
                                                 const SchedulerContext& context) {
  return std::make_unique<DynamicRandom>(ReadSlotOptions(spec), context.rng);
}

}  // namespace schedulegym
