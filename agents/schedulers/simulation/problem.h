// Problem: a network of recorded tasks and a budget, for task schedulers to be compared on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/schedulers/simulation/recorded_curve.h"
#include "agents/schedulers/simulation/simulation.h"
#include "env/base/rng.h"

namespace schedulegym {

struct Problem {
  std::vector<RecordedCurve> curves;
  SimulatedBudget budget;
  int batch = 16;  // the trials of the largest turn

  SchedulerContext Context(uint64_t seed, const StopToken& stop = {}) const;
};

// Tasks are split once, by their names, so that what is tuned on some is judged on others.
enum class CurveHalf : uint8_t { kAll, kDevelopment, kHeldOut };
// "all", "development", "heldout"; none else.
std::optional<CurveHalf> ParseCurveHalf(std::string_view name);
std::vector<RecordedCurve> HalfOf(const std::vector<RecordedCurve>& curves, CurveHalf half);

// Without those of searches in which nothing succeeded.
std::vector<RecordedCurve> WithLatency(const std::vector<RecordedCurve>& curves);

// The first curve of each task, as often as its search had it. Without a budget: half of the
// seconds that all of them took, for else every scheduler ends alike.
Problem WholeProblem(const std::vector<RecordedCurve>& curves, const SimulatedBudget& budget);

// 6 to 20 of the tasks (all where there are fewer), each by one of its curves, run 1 to 16 times
// (uniform logarithm, rounded down). All of the curves have a latency.
Problem DrawProblem(const std::vector<RecordedCurve>& curves, const SimulatedBudget& budget,
                    Rng rng);
// The same of curves drawn for it.
Problem DrawProblem(const DrawnCurveOptions& options, const SimulatedBudget& budget, Rng rng);

}  // namespace schedulegym
