// LiveSlots: one search over the tasks of a network whose turns somebody else hands out.
#pragma once

#include <atomic>
#include <memory>

#include "agents/network/network_parts.h"
#include "agents/network/slot_scheduler.h"
#include "agents/network/slot_search.h"
#include "agents/tuner/search_run.h"
#include "env/measure/timing/clocks.h"

namespace schedulegym {

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
