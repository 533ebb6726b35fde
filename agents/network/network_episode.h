// NetworkEpisode: the state of a network's tasks while an agent allocates slots.
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
  // Starts without spent slots. `references`: seconds of each task's reference. Parts and watch
  // outlive it.
  NetworkEpisode(const NetworkParts& parts, std::vector<double> references, Rng rng,
                 const NetworkWatch& watch);
  // Uses recorded curves; draws one for each task.
  NetworkEpisode(const NetworkParts& parts, Rng rng);
  NetworkEpisode(const NetworkEpisode&) = delete;
  NetworkEpisode& operator=(const NetworkEpisode&) = delete;

  // Spends one slot on a task that is not finished.
  void Spend(int task);

  const NetworkParts& parts() const { return parts_; }
  // A turn of the curve is a slot.
  const TaskCurve& curve(int task) const { return slots_->curve(task); }
  // A bug with recorded curves.
  const TaskRun& run(int task) const;
  // Over all tasks.
  int64_t trials() const;
  double seconds() const;

  // Seconds of one call of a task's best: the reference's seconds, measured once, over the best's
  // measured speed relative to it. Noise of the reference's own time thus earns no reward. Without
  // a success, the reference's seconds.
  double Latency(int task) const;
  // The network's latency: the sum of weight times latency; and with reference schedules alone.
  double Latency() const;
  double ReferenceLatency() const;
  // The highest speed, in operations a second, among a task and its similar tasks, over its own.
  // nullopt if it has no similar task or no success.
  std::optional<double> SpeedOfAlike(int task) const;

 private:
  std::vector<TaskProgress> ProgressOfTasks() const;

  const NetworkParts& parts_;
  std::vector<double> references_;
  std::unique_ptr<SlotSearch> slots_;
  SimilarityGroups groups_;
};

// The speed of the best over the reference's; nullopt without a success.
std::optional<double> SpeedOf(const TaskCurve& curve);

// Log2 of the speedup of the best in the slot that lies `back` slots before the last; at least 0.
// Before the first success the reference counts as the best.
double SlotGain(const TaskCurve& curve, int back = 0);

// Slots since the last that made the best faster; all of them if none did.
int SlotsSinceGain(const TaskCurve& curve);

}  // namespace schedulegym
