// SlotSearch: what slots are spent on: a search that goes on, or one that was recorded.
#pragma once

#include "agents/task_curve.h"
#include "agents/tuner/task_run.h"

namespace schedulegym {

class SlotSearch {
 public:
  virtual ~SlotSearch() = default;

  // One slot for a task that is not finished: a turn of its curve.
  virtual void Spend(int task) = 0;
  virtual const TaskCurve& curve(int task) const = 0;
  // What a search keeps of a task beside its curve; null of what was recorded.
  virtual const TaskRun* run(int task) const { return (void)task, nullptr; }
};

}  // namespace schedulegym
