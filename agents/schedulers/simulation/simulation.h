// Simulation: replays recorded searches under any scheduler, without agents or measurers.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "agents/schedulers/simulation/recorded_curve.h"

namespace schedulegym {

struct SimulatedBudget {
  int64_t trials = std::numeric_limits<int64_t>::max();
  std::optional<double> seconds;  // simulated
  double fit_seconds = 0;         // simulated, for each curve that the scheduler fits
};

// The network's latency from a time on.
struct TrajectoryPoint {
  double seconds = 0;
  double latency = 0;

  bool operator==(const TrajectoryPoint&) const = default;
};

struct Trajectory {
  std::vector<TrajectoryPoint> points;  // the first at 0; latency falls
  std::vector<int> order;               // the task of each turn
  double seconds = 0;                   // at its end
  int64_t trials = 0;

  double latency() const { return points.back().latency; }
};

// Seconds of one call of the best schedule with this result; the reference's while nothing is
// faster, and 0 if those are unknown.
double SecondsAfter(const RecordedCurve& curve, const std::optional<BestResult>& best);

// Calls the scheduler turn by turn, until a budget is spent, it returns nullopt or the recording
// ends. The last turn of the budgets is not cut, but results beyond them do not count. The
// network's latency is the sum of the tasks' weights times seconds. `stop` (may be null) ends it
// between turns, or when the scheduler is interrupted.
Trajectory Simulate(std::span<const RecordedCurve> curves, const SimulatedBudget& budget,
                    TaskScheduler& scheduler, const std::atomic<bool>* stop = nullptr);

}  // namespace schedulegym
