// SlotSearch: what slots of trials are spent on: a live search, or a recorded one.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "agents/network/network_parts.h"
#include "agents/schedulers/simulation/recorded_curve.h"
#include "agents/task_curve.h"
#include "agents/task_scheduler.h"
#include "agents/tuner/search_run.h"
#include "agents/tuner/task_run.h"
#include "env/base/rng.h"
#include "env/measure/timing/clocks.h"

namespace schedulegym {

// What slots are spent on: a search that goes on, or one that was recorded.
class SlotSearch {
 public:
  virtual ~SlotSearch() = default;

  // One slot for a task that is not finished: a turn of its curve.
  virtual void Spend(int task) = 0;
  virtual const TaskCurve& curve(int task) const = 0;
  // What a search keeps of a task beside its curve; null of what was recorded.
  virtual const TaskRun* run(int task) const { return (void)task, nullptr; }
};

// Slots that take the next recorded turn of their task; nothing runs.
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

// The task scheduler whose choices come from outside.
class SlotScheduler : public TaskScheduler {
 public:
  // The task of the next slot.
  void Choose(int task) { next_ = task; }

  // Names a task once for each choice.
  std::optional<int> Next(const SchedulerView& view) override {
    return (void)view, std::exchange(next_, std::nullopt);
  }

 private:
  std::optional<int> next_;
};

// Who looks on while slots are spent.
struct NetworkWatch {
  TuneObserver& observer;
  const std::atomic<bool>* stop = nullptr;  // set: ends a slot between candidates
};

// Stays where it was made: its parts know each other.
class LiveSlots : public SlotSearch {
 public:
  // No slot was spent. Parts and watch outlive it.
  LiveSlots(const NetworkParts& parts, Rng rng, const NetworkWatch& watch);
  LiveSlots(const LiveSlots&) = delete;
  LiveSlots& operator=(const LiveSlots&) = delete;

  void Spend(int task) override;
  const TaskCurve& curve(int task) const override { return search_.curve(task); }
  const TaskRun* run(int task) const override { return &search_.runs()[task]; }

 private:
  AgentSetup setup_;
  SteadyClock clock_;
  std::unique_ptr<Agent> agent_;
  TunerOptions options_;
  std::unique_ptr<RecordStore> store_;
  SlotScheduler scheduler_;
  CalendarClock calendar_;
  TunerParts search_parts_;
  SearchRun search_;
};

}  // namespace schedulegym
