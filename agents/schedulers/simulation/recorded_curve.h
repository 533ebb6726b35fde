// RecordedCurve: the whole search of one task, recorded or drawn.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/task_scheduler.h"
#include "env/base/rng.h"

namespace schedulegym {

// The whole search of one task, for replay.
struct RecordedCurve {
  std::string task;              // the task, such as a workload
  std::string agent;             // spec
  std::string measure = "host";  // how trials were evaluated, a spec; "host": measured
  uint64_t seed = 0;             // of the search
  ScheduledTask facts;           // with that search's counts
  // Seconds of the reference schedule, initially the best. nullopt if no trial ever succeeded; the
  // task then has no latency.
  std::optional<double> reference;
  TaskCurve whole;                // only turns with trials, none of earlier searches
  std::vector<int64_t> places;    // of each turn, among all turns of its search
  std::string search, scheduler;  // any id of the search; its scheduler's spec

  int64_t trials() const { return whole.trials(); }
  double seconds() const { return whole.seconds(); }
  bool has_latency() const { return reference.has_value(); }
};

// In order of first appearance of the tasks; the curves outlive it.
using CurvesByTask = std::vector<std::vector<const RecordedCurve*>>;
CurvesByTask GroupByTask(std::span<const RecordedCurve> curves);

// Ranges are log-uniform.
struct DrawnCurveOptions {
  int trials = 300;
  int batch = 16;         // trials of a turn; the last may have fewer
  double jump = 0.3;      // probability of a sudden gain, 1.1 to 2 times faster
  double plateau = 0.3;   // probability of no gain for a tenth to a half of the trials
  double failures = 0.1;  // share of trials that fail
  double alike = 0.3;     // probability of a shape and speed similar to the task before
};

// Draws `count` tasks of one search. The best follows one of the nine families that DynaTune
// combines (curve_family.h), from 0.02 to 0.5 of its final speed, which is 1 to 30 times the
// reference's. A trial is randomly slower than its curve, so the best rises in steps. The reference
// takes 10 us to 10 ms, a trial 0.05 to 0.5 s, a turn's thinking 0.1 to 1 s. Each count is 1.
std::vector<RecordedCurve> DrawCurves(const DrawnCurveOptions& options, int count, Rng rng);

}  // namespace schedulegym
