// RecordedSlots: slots that take the next recorded turn of their task; nothing runs.
#pragma once

#include <span>
#include <vector>

#include "agents/network/slot_search.h"
#include "agents/schedulers/simulation/recorded_curve.h"
#include "env/base/rng.h"

namespace schedulegym {

class RecordedSlots : public SlotSearch {
 public:
  // One curve of each task, drawn; tasks in the order in which they come first. The curves outlive
  // it.
  RecordedSlots(std::span<const RecordedCurve> curves, Rng rng);

  // A task is finished with its last recorded turn.
  void Spend(int task) override;
  const TaskCurve& curve(int task) const override { return seen_[task]; }

  // Seconds of each task's reference.
  std::vector<double> References() const;

 private:
  std::vector<const RecordedCurve*> recorded_;
  std::vector<TaskCurve> seen_;
};

}  // namespace schedulegym
