// NetworkEpisode: one search over the tasks of a network whose turns somebody else hands out.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/network/network_parts.h"
#include "agents/network/slot_scheduler.h"
#include "agents/schedulers/similarity.h"
#include "agents/tuner/search_run.h"
#include "env/measure/clocks.h"

namespace schedulegym {

// Who looks on while slots are spent.
struct NetworkWatch {
  TuneObserver& observer;
  const std::atomic<bool>* stop = nullptr;  // set: ends a slot between candidates
};

// Stays where it was made: its parts know each other.
class NetworkEpisode {
 public:
  // No slot was spent. `references`: the seconds of each task's reference. Parts and watch outlive
  // it.
  NetworkEpisode(const NetworkParts& parts, std::vector<double> references, Rng rng,
                 const NetworkWatch& watch);
  NetworkEpisode(const NetworkEpisode&) = delete;
  NetworkEpisode& operator=(const NetworkEpisode&) = delete;

  // One slot for a task that is not finished.
  void Spend(int task);

  const NetworkParts& parts() const { return parts_; }
  // A turn of the curve is a slot.
  const TaskCurve& curve(int task) const { return search_.curve(task); }
  const TaskRun& run(int task) const { return search_.runs()[task]; }
  // Over all tasks.
  int64_t trials() const { return search_.trials(); }

  // Seconds of one call of a task, best so far: those of its reference, as they were measured once,
  // over the best's measured speed beside it; so the noise of the reference's own time pays
  // nothing. Of a task without a success, the reference's.
  double Latency(int task) const;
  // The same of the network: the sum of weight times latency; and with reference schedules alone.
  double Latency() const;
  double ReferenceLatency() const;
  // The highest speed, in operations a second, among a task and those that are alike, over its own;
  // none where it is alone or has no success.
  std::optional<double> SpeedOfAlike(int task) const;

 private:
  std::vector<TaskStanding> Standings() const;

  const NetworkParts& parts_;
  std::vector<double> references_;
  AgentSetup setup_;
  SteadyClock clock_;
  std::unique_ptr<Agent> agent_;
  TunerOptions options_;
  std::unique_ptr<RecordStore> store_;
  SlotScheduler scheduler_;
  SimilarityGroups groups_;
  CalendarClock calendar_;
  TunerParts search_parts_;
  SearchRun search_;
};

}  // namespace schedulegym
