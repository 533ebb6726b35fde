// SlotScheduler: the task scheduler whose choices come from outside; remembers what each slot gave.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "agents/task_scheduler.h"

namespace schedulegym {

// The slots that a task was given, and what they led to.
struct TaskSlots {
  // After each slot: how many times as fast as the reference the best is; none without a success.
  std::vector<std::optional<double>> speeds;
  int64_t trials = 0;
  int64_t failures = 0;   // of the trials
  bool finished = false;  // its agent has nothing left

  // None without a success.
  std::optional<double> Speed() const { return speeds.empty() ? std::nullopt : speeds.back(); }
  // By how many doublings the best became faster in the slot that lies `back` slots before the
  // last; never below 0. Before the first success the reference counts as the best.
  double Gain(int back = 0) const;
  // Slots since one that made the best faster; all of them if none did.
  int SinceGain() const;
};

class SlotScheduler : public TaskScheduler {
 public:
  explicit SlotScheduler(size_t tasks) : slots_(tasks) {}

  // The task of the next slot.
  void Choose(int task) { next_ = task; }
  const TaskSlots& slots(int task) const { return slots_[task]; }

  // Names a task once for each choice.
  std::optional<int> Next() override;
  void Report(int task, std::span<const Measurement> measurements) override;
  void Revise(int task, const std::optional<Record>& best) override;
  void Finish(int task) override;

 private:
  std::optional<int> next_;
  std::vector<TaskSlots> slots_;
};

}  // namespace schedulegym
