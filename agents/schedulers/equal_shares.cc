// A baseline of DynaTune (Zhang et al., ICLR 2021): the tasks in order, each to completion, with
// static equal budgets. Budgets are summed in order, so that the next task gets the rest of one, or
// pays for its excess, as turns are not cut.
#include "agents/schedulers/equal_shares.h"

#include "agents/schedulers/builtin_schedulers.h"

namespace schedulegym {
namespace {

class Linear : public TaskScheduler {
 public:
  explicit Linear(int batch) : batch_(batch) {}

  // The last task continues to the end of the search. If it finishes early, the least tried task
  // gets the rest.
  std::optional<int> Next(const SchedulerView& view) override {
    const EqualShare share = ShareOf(view);
    Spending spent;
    const size_t count = view.curves.size();
    for (size_t i = 0; i < count; ++i) {
      const TaskCurve& curve = view.curves[i];
      spent.Add(curve);
      if (curve.finished) continue;
      const bool fits = share.Holds(spent, batch_, static_cast<double>(i + 1));
      if (fits || curve.own_turns().empty() || i + 1 == count) return static_cast<int>(i);
    }
    return LeastTried(view.curves);
  }

 private:
  int batch_;
};

}  // namespace

void Spending::Add(const TaskCurve& curve) {
  trials += curve.trials();
  seconds += curve.seconds();
}

bool EqualShare::Holds(const Spending& spent, int batch, double tasks) const {
  if (static_cast<double>(spent.trials + batch) > trials * tasks) return false;
  return !seconds || spent.seconds < *seconds * tasks;
}

EqualShare ShareOf(const SchedulerView& view) {
  Spending spent;
  for (const TaskCurve& curve : view.curves) spent.Add(curve);
  const auto count = static_cast<double>(view.curves.size());
  EqualShare share = {static_cast<double>(spent.trials + view.trials_left) / count, {}};
  if (view.seconds_left) share.seconds = (view.now + *view.seconds_left) / count;
  return share;
}

std::optional<int> LeastTried(std::span<const TaskCurve> curves) {
  std::optional<int> least;
  for (int i = 0; i < static_cast<int>(curves.size()); ++i) {
    if (curves[i].finished) continue;
    if (!least || curves[i].trials() < curves[*least].trials()) least = i;
  }
  return least;
}

std::unique_ptr<TaskScheduler> MakeLinear(const Spec& spec, const SchedulerContext& context) {
  SpecReader(spec, "scheduler").Finish();
  return std::make_unique<Linear>(context.batch);
}

}  // namespace schedulegym
