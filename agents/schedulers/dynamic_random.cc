// A baseline of DynaTune (Zhang et al., ICLR 2021): its dynamic slots, without its belief.
#include "agents/schedulers/dynamic_random.h"

#include "agents/schedulers/slot.h"

namespace schedulegym {
namespace {

class DynamicRandom : public TaskScheduler {
 public:
  DynamicRandom(const SlotOptions& options, const Rng& rng)
      : patience_(options.task_patience), slot_(options.slot), rng_(rng) {}

  std::optional<int> Next(const Standing& standing) override {
    const std::vector<int> active = ActiveTasks(standing.curves, patience_);
    if (const auto holder = slot_.Holder(standing, active)) return holder;
    if (active.empty()) return std::nullopt;
    return slot_.Give(active[rng_.Below(std::ssize(active))], standing);
  }

 private:
  int64_t patience_;
  GivenSlot slot_;
  Rng rng_;
};

}  // namespace

std::unique_ptr<TaskScheduler> MakeDynamicRandom(const Spec& spec,
                                                 const SchedulerContext& context) {
  return std::make_unique<DynamicRandom>(ReadSlotOptions(spec), context.rng);
}

}  // namespace schedulegym
