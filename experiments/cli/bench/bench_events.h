// Bench events: the results of `bench` as JSON events.
#pragma once

#include <string>

#include "agents/tuner/tuner.h"
#include "experiments/bench/bench_row.h"
#include "experiments/bench/bench_summary.h"
#include "experiments/cli/common/json.h"

namespace schedulegym {

// Facts of the run: command, time, machine.
struct BenchOccasion {
  std::string command;
  double started = 0;   // seconds since 1970-01-01 UTC
  std::string machine;  // "x86-64-v4, 512-bit vectors"
};

// Fields of the events `row` and `summary`.
JsonObject RowFields(const BenchRow& row);
JsonObject SummaryFields(const BenchSummary& summary, const BenchOccasion& occasion);

// Result of `bench throughput`: the search, its speed, and the phases of `done` in seconds a trial.
struct ThroughputRow {
  std::string workload, agent;
  int cores = 0;
};
JsonObject ThroughputFields(const ThroughputRow& row, const DoneEvent& done);
// The same, a line.
std::string ThroughputText(const ThroughputRow& row, const DoneEvent& done);

}  // namespace schedulegym
