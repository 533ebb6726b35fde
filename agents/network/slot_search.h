// SlotSearch: spends slots of trials, in a live search or along a recorded one.
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

// Spends slots in a live search or along a recorded one.
class SlotSearch {
 public:
  virtual ~SlotSearch() = default;

  // Spends one slot, a turn of its curve, on a task that is not finished.
  virtual void Spend(int task) = 0;
  virtual const TaskCurve& curve(int task) const = 0;
  // The state of a live search of the task; nullptr for a recorded one.
  virtual const TaskRun* run(int task) const { return (void)task, nullptr; }
};

// Replays the next recorded turn of the task; nothing runs.
class RecordedSlots : public SlotSearch {
 public:
  // Draws one curve for each task; tasks are in order of first appearance. The curves outlive it.
  RecordedSlots(std::span<const RecordedCurve> curves, Rng rng);

  // A task is finished after its last recorded turn.
  void Spend(int task) override;
  const TaskCurve& curve(int task) const override { return seen_[task]; }

  // Seconds of each task's reference.
  std::vector<double> References() const;

 private:
  std::vector<const RecordedCurve*> recorded_;
  std::vector<TaskCurve> seen_;
};

// A task scheduler that returns the task chosen by its caller.
class SlotScheduler : public TaskScheduler {
 public:
  // Sets the task of the next slot.
  void Choose(int task) { next_ = task; }

  // Returns the task once for each choice.
  std::optional<int> Next(const SchedulerView& view) override {
    return (void)view, std::exchange(next_, std::nullopt);
  }

 private:
  std::optional<int> next_;
};

// The observer of a search, and the flag that stops it.
struct NetworkWatch {
  TuneObserver& observer;
  const std::atomic<bool>* stop = nullptr;  // ends a slot between candidates once set
};

// Not movable: its parts refer to each other.
class LiveSlots : public SlotSearch {
 public:
  // Starts without spent slots. Parts and watch outlive it.
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
