// NetworkEpisode: how the tasks of a network stand while somebody hands out slots.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "agents/network/slot_search.h"
#include "agents/schedulers/similarity.h"
#include "agents/task_curve.h"

namespace schedulegym {

class NetworkEpisode {
 public:
  // No slot was spent. `references`: the seconds of each task's reference. Parts and watch outlive
  // it.
  NetworkEpisode(const NetworkParts& parts, std::vector<double> references, Rng rng,
                 const NetworkWatch& watch);
  // Of recorded curves, of which it draws one for each task.
  NetworkEpisode(const NetworkParts& parts, Rng rng);
  NetworkEpisode(const NetworkEpisode&) = delete;
  NetworkEpisode& operator=(const NetworkEpisode&) = delete;

  // One slot for a task that is not finished.
  void Spend(int task);

  const NetworkParts& parts() const { return parts_; }
  // A turn of the curve is a slot.
  const TaskCurve& curve(int task) const { return slots_->curve(task); }
  // A bug of recorded curves.
  const TaskRun& run(int task) const;
  // Over all tasks.
  int64_t trials() const;
  double seconds() const;

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
  std::vector<TaskProgress> ProgressOfTasks() const;

  const NetworkParts& parts_;
  std::vector<double> references_;
  std::unique_ptr<SlotSearch> slots_;
  SimilarityGroups groups_;
};

// How many times as fast as the reference the best is; none without a success.
std::optional<double> SpeedOf(const TaskCurve& curve);

// By how many doublings the best became faster in the slot that lies `back` slots before the last;
// never below 0. Before the first success the reference counts as the best.
double SlotGain(const TaskCurve& curve, int back = 0);

// Slots since one that made the best faster; all of them if none did.
int SlotsSinceGain(const TaskCurve& curve);

}  // namespace schedulegym
