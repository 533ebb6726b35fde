// Comparison: task schedulers on one problem, beside the oracle and each other.
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
  // Mean of ln(latency) over the horizon, less the oracle's: 0.1 is a latency 11 % above it.
  double area = 0;
  // Simulated seconds until the latency was the best end's over 0.95 and over 0.98.
  std::optional<double> to_95, to_98;
  // Until it was what each scheduler ended with, in their order.
  std::vector<std::optional<double>> to_final;
  double deciding = 0;            // real seconds of all its choices
  std::optional<FitCounts> fits;  // of curves; none of a scheduler that fits none
};

struct Comparison {
  std::vector<ComparedRun> runs;  // in the schedulers' order
  Trajectory oracle;
  double horizon = 0;       // seconds: the budget's, or the end of the last to end
  double best_latency = 0;  // the lowest that any, or the oracle, ended with
};

// The same seed, the same choices. None where `stop` was set on the way, in the
// midst of a choice, too. Throws InputError for a
// bad spec.
std::optional<Comparison> Compare(const Problem& problem, std::span<const Spec> schedulers,
                                  uint64_t seed, const Clock& clock,
                                  const std::atomic<bool>* stop = nullptr);

// The mean of ln(latency) over the seconds from 0 to `horizon`, above 0; after its end a course
// stays where it was.
double MeanLogLatency(const Trajectory& trajectory, double horizon);

// When the latency was no more than that for the first time; none where it never was.
std::optional<double> SecondsTo(const Trajectory& trajectory, double latency);

// A mean with the 95 % interval that the normal distribution gives it; of one value, that alone.
struct MeanInterval {
  double mean = 0, low = 0, high = 0;
};
// At least one value.
MeanInterval MeanOf(std::span<const double> values);

// Gives turns to the task whose recorded future saves most latency a second, over the best number
// of its next turns that the budget holds; none once nothing is to be saved. With an endless budget
// no order has a smaller area of latency over time (Sidney, Operations Research 23, 1975: chains of
// jobs, of which the heaviest beginnings go first). Within a limit it takes the steepest that fits,
// which is greedy: another order may end lower or have a smaller area. The curves outlive it.
std::unique_ptr<TaskScheduler> MakeOracle(std::span<const RecordedCurve> curves);

}  // namespace schedulegym
