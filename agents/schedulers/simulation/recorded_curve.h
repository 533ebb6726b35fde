// RecordedCurve: how a search of one task went to its end, recorded or drawn.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/task_scheduler.h"
#include "env/base/rng.h"

namespace schedulegym {

// How a search of one task went to its end, to be played again.
struct RecordedCurve {
  std::string task;              // what was searched, such as a workload
  std::string agent;             // spec
  std::string measure = "host";  // what told the speeds, a spec; what is not measured says so
  uint64_t seed = 0;             // of the search
  ScheduledTask facts;           // counts as that search had them
  // Seconds of the reference schedule: at first, the best. None where nobody knows them, for
  // nothing ever succeeded: such a task has no latency.
  std::optional<double> reference;
  TaskCurve whole;                // turns with trials alone, none of earlier searches
  std::vector<int64_t> places;    // of each turn among those of all tasks of its search
  std::string search, scheduler;  // which search that was, any text, and its scheduler, a spec

  int64_t trials() const { return whole.trials(); }
  double seconds() const { return whole.seconds(); }
  bool has_latency() const { return reference.has_value(); }
};

// In the order in which the tasks come first; the curves outlive it.
using CurvesByTask = std::vector<std::vector<const RecordedCurve*>>;
CurvesByTask GroupByTask(std::span<const RecordedCurve> curves);

// Ranges are of uniform logarithms.
struct DrawnCurveOptions {
  int trials = 300;
  int batch = 16;     // trials of a turn; the last may have fewer
  double jump = 0.3;  // chance of a curve to find something new on the way, 1.1 to 2 times faster
  double plateau = 0.3;   // chance of a curve to find nothing for a tenth to a half of its trials
  double failures = 0.1;  // share of trials that fail
  double alike = 0.3;     // chance of a task to be like the one before: shape and speed are near
};

// `count` tasks of one search. The best follows one of the nine families that DynaTune combines
// (curve_family.h) from 0.02 to 0.5 of its final speed, which is 1 to 30 times the reference's; a
// trial falls short of its shape by chance, so that the best rises in steps. The reference takes 10
// us to 10 ms, a trial 0.05 to 0.5 s, a turn's thinking 0.1 to 1 s. Each runs once in the network.
std::vector<RecordedCurve> DrawCurves(const DrawnCurveOptions& options, int count, Rng rng);

}  // namespace schedulegym
