// SlotScheduler: the task scheduler whose choices come from outside.
#pragma once

#include <optional>
#include <utility>

#include "agents/task_scheduler.h"

namespace schedulegym {

class SlotScheduler : public TaskScheduler {
 public:
  // The task of the next slot.
  void Choose(int task) { next_ = task; }

  // Names a task once for each choice.
  std::optional<int> Next(const Standing& standing) override {
    return (void)standing, std::exchange(next_, std::nullopt);
  }

 private:
  std::optional<int> next_;
};

}  // namespace schedulegym
