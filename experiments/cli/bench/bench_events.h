// Bench events: what `bench` reports, as JSON events.
#pragma once

#include <string>

#include "agents/tuner/tuner.h"
#include "experiments/bench/bench_row.h"
#include "experiments/bench/bench_summary.h"
#include "experiments/cli/common/json.h"

namespace schedulegym {

// What a reader of the numbers asks next.
struct BenchOccasion {
  std::string command;
  double started = 0;   // seconds since 1970-01-01 UTC
  std::string machine;  // "x86-64-v4, 512-bit vectors"
};

// Fields of the events `row` and `summary`.
JsonObject RowFields(const BenchRow& row);
JsonObject SummaryFields(const BenchSummary& summary, const BenchOccasion& occasion);

// Of `bench throughput`: what was searched, how fast, and the phases of `done`, seconds a trial.
struct ThroughputRow {
  std::string workload, agent;
  int cores = 0;
};
JsonObject ThroughputFields(const ThroughputRow& row, const DoneEvent& done);
// The same, a line.
std::string ThroughputText(const ThroughputRow& row, const DoneEvent& done);

}  // namespace schedulegym
