// Bench row: what timing one workload beside vendor libraries gave.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "env/measure/measurement.h"
#include "env/measure/record.h"

namespace schedulegym {

// Search effort: how many candidates of a task were tried, and how long that took.
struct SearchEffort {
  int64_t trials = 0;
  double seconds = 0;  // 0: unknown
  // Of the last search, why it ended: "trials", "seconds", ...; "" unknown.
  std::string stopped = {};

  std::optional<double> TrialsPerSecond() const;
};

// What searched, and where: specs, as records name them.
struct SearchSpecs {
  std::string agent;
  std::string space;
};

// What the records of one task tell, in order of appending; with specs those of such searches
// alone. Failures are trials too; a candidate that was measured again is one. Seconds go from the
// first candidate of a session to the end of its last: what an agent thought before its first is
// not known, and other tasks of the same session count as well.
SearchEffort EffortOf(std::span<const Record> records,
                      const std::optional<SearchSpecs>& specs = std::nullopt);

// A library's best way to compute the row's workload.
struct PeerResult {
  std::string name;
  std::string detail;
  double seconds = 0;
  double cpu_per_wall = 1;
  // Largest difference from our result over the largest value; none without a kernel of ours.
  std::optional<double> difference;
};

// The peers of a row with their operands in layouts of one kind, and ours beside them.
struct PeerSide {
  std::vector<PeerResult> peers;  // one for each name that has such a way, in the order asked for
  // The best peer's seconds over ours: above 1 is faster.
  std::optional<RatioInterval> ratio;
  std::string best_peer;
};

// Nothing stands where a number is unknown: no kernel of ours, no peer, no peak.
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
  PeerSide any;    // each library in the layout that it is fastest in
  PeerSide plain;  // operands as the workload writes them, weights alone rewritten ahead
  std::optional<double> peak_gflops;
  std::optional<double> peak_fraction;
  double flops = 0;         // of one call
  double cpu_per_wall = 1;  // of our kernel
  int processes = 1;        // that timed
  // Somebody that counts did not get its cores, or the cores were slower than in other rows of the
  // run, however often all was timed: not to be trusted.
  bool short_of_cores = false;
  std::string failure;  // why ours has no time, or that it computes something else; else empty
};

}  // namespace schedulegym
