#include "agents/schedulers/round_robin.h"

namespace schedulegym {
namespace {

// Whoever had the fewest turns is next, and the first of those: that is in turn.
class RoundRobin : public TaskScheduler {
 public:
  std::optional<int> Next(const Standing& standing) override {
    std::optional<int> next;
    size_t fewest = 0;
    for (int i = 0; i < static_cast<int>(standing.curves.size()); ++i) {
      const TaskCurve& curve = standing.curves[i];
      const size_t turns = curve.own_turns().size();
      if (curve.finished || (next && turns >= fewest)) continue;
      next = i;
      fewest = turns;
    }
    return next;
  }
};

}  // namespace

std::unique_ptr<TaskScheduler> MakeRoundRobin(const Spec& spec, const SchedulerContext&) {
  SpecReader(spec, "scheduler").Finish();
  return std::make_unique<RoundRobin>();
}

}  // namespace schedulegym
