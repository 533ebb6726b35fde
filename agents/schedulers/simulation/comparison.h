// Comparison: runs task schedulers on one problem, against the oracle and each other.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "agents/schedulers/simulation/problem.h"
#include "agents/schedulers/simulation/recorded_curve.h"
#include "agents/schedulers/simulation/simulation.h"
#include "env/base/clock.h"
#include "env/base/spec.h"

namespace schedulegym {

struct ComparedRun {
  Trajectory trajectory;
  // Mean of ln(latency) over the horizon, minus the oracle's: 0.1 is a latency 11 % above it.
  double area = 0;
  // Simulated seconds until the latency was the lowest final one over 0.95 and over 0.98.
  std::optional<double> to_95, to_98;
  // Seconds until it was each scheduler's final latency, in their order.
  std::vector<std::optional<double>> to_final;
  double deciding = 0;            // real seconds of all choices
  std::optional<FitCounts> fits;  // of curves; nullopt for a scheduler that fits none
};

struct Comparison {
  std::vector<ComparedRun> runs;  // in the schedulers' order
  Trajectory oracle;
  double horizon = 0;       // seconds: the budget's, or the end of the longest run
  double best_latency = 0;  // the lowest final latency of all runs and the oracle
};

// Equal seeds give equal choices. nullopt if `stop` is set meanwhile, also during a choice. Throws
// InputError for a bad spec.
std::optional<Comparison> Compare(const Problem& problem, std::span<const Spec> schedulers,
                                  uint64_t seed, const Clock& clock,
                                  const std::atomic<bool>* stop = nullptr);

// The mean of ln(latency) over the seconds from 0 to `horizon`, above 0. After its end a trajectory
// keeps its last value.
double MeanLogLatency(const Trajectory& trajectory, double horizon);

// The first time at which the latency was at most `latency`; nullopt if it never was.
std::optional<double> SecondsTo(const Trajectory& trajectory, double latency);

// A mean with its 95 % interval under a normal distribution; for one value, that value alone.
struct MeanInterval {
  double mean = 0, low = 0, high = 0;
};
// Takes at least one value.
MeanInterval MeanOf(std::span<const double> values);

// Gives turns to the task whose recorded future saves most latency a second, over the best number
// of its next turns that the budget allows; nullopt if nothing more can be saved. With an endless
// budget no order has a smaller area of latency over time (Sidney, Operations Research 23, 1975:
// chains of jobs, whose heaviest beginnings go first). Within a limit it takes the steepest that
// fits. That is greedy: another order may end lower or have a smaller area. The curves outlive it.
std::unique_ptr<TaskScheduler> MakeOracle(std::span<const RecordedCurve> curves);

}  // namespace schedulegym
