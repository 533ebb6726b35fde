// Simulate report: what comparisons of task schedulers come to, as JSON events and as text.
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
  std::vector<RecordedCurve> curves;  // of the problem; empty where they are not to be told
  size_t tasks = 0;
  Comparison comparison;
};

// How much sooner than another, over all problems: its seconds to its own last latency over ours to
// the same. Where ours never came so low the horizon stands for it, so that the truth is no more.
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

// In the schedulers' order. At least one row; those of a problem stand together.
std::vector<SchedulerSummary> Summarize(std::span<const SimulatedRow> rows,
                                        std::span<const std::string> schedulers);

// Of the event `row`, one for each scheduler of a row, and of `summary`.
JsonObject SimulatedRowFields(const SimulatedRow& row, std::span<const std::string> schedulers,
                              size_t scheduler);
JsonObject SchedulerSummaryFields(const SchedulerSummary& summary);

// A line of titles and one for each; then one of each that fits curves.
std::string SimulationText(std::span<const SchedulerSummary> summaries);

}  // namespace schedulegym
