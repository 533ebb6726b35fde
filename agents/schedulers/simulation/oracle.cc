#include "agents/schedulers/simulation/oracle.h"

#include "agents/schedulers/simulation/simulation.h"

namespace schedulegym {
namespace {

class Oracle : public TaskScheduler {
 public:
  explicit Oracle(std::span<const RecordedCurve> curves) : recorded_(curves) {}

  std::optional<int> Next(const Standing& standing) override {
    std::optional<int> next;
    double most = 0;
    for (int i = 0; i < static_cast<int>(recorded_.size()); ++i) {
      const double rate = BestRate(standing, i);
      if (rate <= most) continue;
      most = rate;
      next = i;
    }
    return next;
  }

 private:
  // Seconds of latency that a second saves.
  double BestRate(const Standing& standing, int task) const {
    const RecordedCurve& recorded = recorded_[task];
    const TaskCurve& curve = standing.curves[task];
    const double now = SecondsAfter(recorded, curve.best);
    double best = 0, took = 0;
    int64_t trials = 0;
    for (size_t i = curve.turns.size(); i < recorded.whole.turns.size(); ++i) {
      const Turn& turn = recorded.whole.turns[i];
      took += turn.seconds;
      trials += turn.trials;
      const bool fits =
          trials <= standing.trials_left && took <= standing.seconds_left.value_or(took);
      if (!fits) break;
      const double saved = now - SecondsAfter(recorded, turn.best);
      if (saved > 0) best = std::max(best, standing.tasks[task].weight() * saved / took);
    }
    return best;
  }

  std::span<const RecordedCurve> recorded_;
};

}  // namespace

std::unique_ptr<TaskScheduler> MakeOracle(std::span<const RecordedCurve> curves) {
  return std::make_unique<Oracle>(curves);
}

}  // namespace schedulegym
