#include "agents/network/recorded_slots.h"

#include "agents/schedulers/simulation/curves_by_task.h"

namespace schedulegym {

RecordedSlots::RecordedSlots(std::span<const RecordedCurve> curves, Rng rng) {
  for (const auto& task : GroupByTask(curves)) {
    recorded_.push_back(task[rng.Below(std::ssize(task))]);
  }
  seen_.resize(recorded_.size());
}

void RecordedSlots::Spend(int task) {
  TaskCurve& seen = seen_[task];
  const TaskCurve& whole = recorded_[task]->whole;
  seen.AddTurnOf(whole);
  seen.finished = seen.turns.size() == whole.turns.size();
}

std::vector<double> RecordedSlots::References() const {
  std::vector<double> references;
  for (const RecordedCurve* curve : recorded_) references.push_back(curve->reference.value());
  return references;
}

}  // namespace schedulegym
