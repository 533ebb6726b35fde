// Bench: times our kernels against vendor libraries, interleaved, one row for each workload.
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

// A schedule of ours and its origin: "expert", "record 1f0c...".
struct BenchSchedule {
  std::string trace;  // text
  std::string origin;
  std::string grade;  // of the machine at measuring, "" unknown
};

// The input of a row. Its cores are those of the task's target.
struct BenchCase {
  std::string workload;  // spec or path, as shown in the row; libraries are found by it
  std::string group;     // the unit of a summary: the operator's short name, such as "C2D"
  std::shared_ptr<const Task> task;
  std::optional<BenchSchedule> schedule;  // else BenchOptions::schedule_of makes it
  std::optional<int64_t> most_trials;     // limit of a search; nullopt: the requested trials
  std::optional<SearchEffort> effort;     // of the search that found the schedule
  double count = 0;                       // runs in the given networks; 0: no networks
};

struct BenchOptions {
  std::vector<std::string> peers = {"openblas", "onednn"};
  InterleavedOptions interleaved;
  // Worker processes: the number of fresh ones that time each row, each with another memory layout;
  // and the maximum of extra ones for rows whose peak was below this share of the run's highest,
  // for example because another process used the other hyper-thread of a core.
  int processes = 3;
  int more_processes = 3;
  double least_peak = 0.9;
  uint64_t seed = 0;  // of inputs and interleaving
  // For cases without a schedule. nullopt: the row has only the peers.
  std::function<std::optional<BenchSchedule>(const std::shared_ptr<const Task>&)> schedule_of;
  // Polled before each row; true ends the run.
  std::function<bool()> stop = [] { return false; };
  // Polled while a row is timed elsewhere; true ends that row, too.
  std::function<bool()> interrupted = [] { return false; };
};

struct InterleavedRow;

// Times one case in this process, with its own schedule, if any. Throws InputError for an unknown
// peer.
InterleavedRow RunInterleavedRow(const BenchCase& row_case, const BenchOptions& options,
                                 const PairedClocks& clocks);

// Times every case in this process. Throws InputError for an unknown peer, before the first row.
// Calls `on_row` as soon as a row is done.
BenchSummary RunBench(std::span<const BenchCase> cases, const BenchOptions& options,
                      const PairedClocks& clocks,
                      const std::function<void(const BenchRow&)>& on_row);

}  // namespace schedulegym
