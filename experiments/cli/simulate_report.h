// Simulate report: results of comparisons of task schedulers, as JSON events and as text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/schedulers/simulation/comparison.h"
#include "experiments/cli/common/json.h"

namespace schedulegym {

// One comparison, and whose.
struct SimulatedRow {
  int64_t problem = 0;
  int64_t seed = 0;
  std::vector<RecordedCurve> curves;  // of the problem; empty where they are not printed
  size_t tasks = 0;
  Comparison comparison;
};

// Speed-up over another scheduler, over all problems: its seconds to its own final latency over
// ours to the same latency. Where ours never reached it, the horizon is used, so that the speed-up
// is at most the true one.
struct SpeedUp {
  std::string over;                   // the other, a spec
  std::optional<MeanInterval> times;  // none where in no problem either had to find anything
  int64_t unreached = 0;
};

// One scheduler, over all problems; of each the mean over its seeds. Shares are of the horizon, 1
// where the latency was never reached.
struct SchedulerSummary {
  std::string scheduler;
  int64_t runs = 0;
  MeanInterval area, share_to_95, share_to_98;
  int64_t reached_95 = 0, reached_98 = 0;  // of the runs
  std::vector<SpeedUp> speed_ups;
  double deciding = 0;            // real seconds of all its choices
  std::optional<FitCounts> fits;  // of all runs; none of a scheduler that fits none
  double simulated = 0;           // seconds that they decided about
};

// In the schedulers' order. At least one row; rows of a problem are consecutive.
std::vector<SchedulerSummary> Summarize(std::span<const SimulatedRow> rows,
                                        std::span<const std::string> schedulers);

// Of the event `row`, one for each scheduler of a row, and of `summary`.
JsonObject SimulatedRowFields(const SimulatedRow& row, std::span<const std::string> schedulers,
                              size_t scheduler);
JsonObject SchedulerSummaryFields(const SchedulerSummary& summary);

// A line of titles and one for each; then one of each that fits curves.
std::string SimulationText(std::span<const SchedulerSummary> summaries);

}  // namespace schedulegym
