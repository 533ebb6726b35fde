// Bench: kernels of ours timed beside vendor libraries, interleaved, one row for each workload.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/measure/measurement.h"
#include "env/program/task.h"
#include "experiments/bench/contest.h"

namespace schedulegym {

// A schedule of ours, and where it comes from: "expert", "record 1f0c...".
struct BenchSchedule {
  std::string trace;  // text
  std::string origin;
};

// One row to be. The cores are those of the task's target.
struct BenchCase {
  std::string workload;  // spec or path, as the row says it; libraries are found by it
  std::shared_ptr<const Task> task;
  std::optional<BenchSchedule> schedule;  // else BenchOptions::schedule_of is asked
};

// A library's best way to compute the row's workload.
struct PeerResult {
  std::string name;
  std::string detail;
  double seconds = 0;
  double cpu_per_wall = 1;
  // Largest difference from our result over the largest value; none without a kernel of ours.
  std::optional<double> difference;
};

// Nothing stands where a number is unknown: no kernel of ours, no peer, no peak.
struct BenchRow {
  std::string workload;
  int cores = 1;
  std::string origin;  // of our schedule
  std::optional<double> seconds;
  std::optional<double> gflops;
  std::vector<PeerResult> peers;  // one for each name, in the order asked for
  // The best peer's seconds over ours: above 1 is faster.
  std::optional<RatioInterval> ratio;
  std::string best_peer;
  std::optional<double> peak_gflops;
  std::optional<double> peak_fraction;
  double flops = 0;         // of one call
  double cpu_per_wall = 1;  // of our kernel
  // Somebody that counts did not get its cores, however often all was timed: not to be trusted.
  bool short_of_cores = false;
  std::string failure;  // why ours has no time, or that it computes something else; else empty
};

struct BenchSummary {
  int rows = 0;
  int failures = 0;
  std::optional<double> geomean_ratio;  // over the rows that have one
  double elapsed = 0;
};

struct BenchOptions {
  std::vector<std::string> peers = {"openblas", "onednn"};
  ContestOptions contest;
  uint64_t seed = 0;  // of inputs and interleaving
  // For cases without a schedule. Nothing: the row holds the peers alone.
  std::function<std::optional<BenchSchedule>(const std::shared_ptr<const Task>&)> schedule_of;
  // Asked before each row; true ends the run.
  std::function<bool()> stop = [] { return false; };
  // Asked while a row is timed elsewhere; true ends that row, too.
  std::function<bool()> interrupted = [] { return false; };
};

// Throws InputError for an unknown peer, before the first row. `on_row` is called as soon as a row
// is done.
BenchSummary RunBench(std::span<const BenchCase> cases, const BenchOptions& options,
                      const PairedClocks& clocks,
                      const std::function<void(const BenchRow&)>& on_row);

}  // namespace schedulegym
