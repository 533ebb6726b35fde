// Bench row: the result of timing one workload against vendor libraries.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/measure/measurement.h"
#include "env/measure/record.h"

namespace schedulegym {

// Search effort: the number of candidates of a task, and the duration of their search.
struct SearchEffort {
  int64_t trials = 0;
  double seconds = 0;  // 0: unknown
  // Why the last search ended: "trials", "seconds", ...; "" unknown.
  std::string stopped = {};

  std::optional<double> TrialsPerSecond() const;
};

// The agent and the space of a search: specs, as in records.
struct SearchSpecs {
  std::string agent;
  std::string space;
};

// Computes the effort from the records of one task, in order of appending; with `specs` only those
// of such searches. Failures count as trials; a candidate measured again counts once. Seconds are
// from the first candidate of a session to the end of its last. They exclude the agent's time
// before the first, which is unknown, and include other tasks of the same session.
SearchEffort EffortOf(std::span<const Record> records,
                      const std::optional<SearchSpecs>& specs = std::nullopt);

// A library's fastest way to compute the row's workload.
struct PeerResult {
  std::string name;
  std::string detail;
  double seconds = 0;
  double cpu_per_wall = 1;
  // Largest difference from our result over the largest value; nullopt without a kernel of ours.
  std::optional<double> difference;
};

// The peers of a row with operands in one kind of layout, and our kernel against them.
struct PeerSide {
  std::vector<PeerResult> peers;  // one for each name with such a way, in the given order
  // The best peer's seconds over ours: above 1 is faster.
  std::optional<RatioInterval> ratio;
  std::string best_peer;
};

// Unknown numbers are nullopt: without a kernel of ours, a peer, or a peak.
struct BenchRow {
  std::string workload;
  std::string group;  // see BenchCase
  double count = 0;   // the same
  int cores = 1;
  std::string origin;                  // of our schedule
  std::string grade;                   // see BenchSchedule
  std::optional<SearchEffort> effort;  // see BenchCase
  std::optional<double> seconds;
  std::optional<double> gflops;
  PeerSide any;    // each library in its fastest layout
  PeerSide plain;  // operands as the workload defines them; only weights are rewritten ahead
  std::optional<double> peak_gflops;
  std::optional<double> peak_fraction;
  double flops = 0;         // of one call
  double cpu_per_wall = 1;  // of our kernel
  int processes = 1;        // number of timing processes
  // A kernel that counts did not get its cores, or the cores were slower than in other rows of the
  // run, in spite of repeated timing. Such a row is not reliable.
  bool short_of_cores = false;
  std::string failure;  // why our kernel has no time, or that its result is wrong; else empty
};

}  // namespace schedulegym
