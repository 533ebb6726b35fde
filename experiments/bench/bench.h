// Bench: kernels of ours timed beside vendor libraries, interleaved, one row for each workload.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/program/task.h"
#include "experiments/bench/bench_row.h"
#include "experiments/bench/bench_summary.h"
#include "experiments/bench/interleaved_benchmark.h"

namespace schedulegym {

// A schedule of ours, and where it comes from: "expert", "record 1f0c...".
struct BenchSchedule {
  std::string trace;  // text
  std::string origin;
  std::string grade;  // of the machine when it was measured, "" unknown
};

// One row to be. The cores are those of the task's target.
struct BenchCase {
  std::string workload;  // spec or path, as the row says it; libraries are found by it
  std::string group;     // what a summary takes together: the operator's short name, such as "C2D"
  std::shared_ptr<const Task> task;
  std::optional<BenchSchedule> schedule;  // else BenchOptions::schedule_of is asked
  std::optional<int64_t> most_trials;     // that a search spends on it; else what is asked for
  std::optional<SearchEffort> effort;     // that its schedule was found with
  double count = 0;                       // how often the networks asked for run it; 0: none was
};

struct BenchOptions {
  std::vector<std::string> peers = {"openblas", "onednn"};
  InterleavedOptions interleaved;
  // In workers: how many fresh ones time each row, each with another layout of its memory; and how
  // many more may, for those in which the peak was below this share of the run's highest, as when
  // somebody else uses the other half of a core.
  int processes = 3;
  int more_processes = 3;
  double least_peak = 0.9;
  uint64_t seed = 0;  // of inputs and interleaving
  // For cases without a schedule. Nothing: the row holds the peers alone.
  std::function<std::optional<BenchSchedule>(const std::shared_ptr<const Task>&)> schedule_of;
  // Asked before each row; true ends the run.
  std::function<bool()> stop = [] { return false; };
  // Asked while a row is timed elsewhere; true ends that row, too.
  std::function<bool()> interrupted = [] { return false; };
};

struct InterleavedRow;

// Times one case, whose schedule, if any, stands in it, in this process. Throws InputError for an
// unknown peer.
InterleavedRow RunInterleavedRow(const BenchCase& row_case, const BenchOptions& options,
                                 const PairedClocks& clocks);

// Times every case, in this process. Throws InputError for an unknown peer, before the first row.
// `on_row` is called as soon as a row is done.
BenchSummary RunBench(std::span<const BenchCase> cases, const BenchOptions& options,
                      const PairedClocks& clocks,
                      const std::function<void(const BenchRow&)>& on_row);

}  // namespace schedulegym
