// Bench summary: the rows of a run boiled down to geometric means, over all and by group.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/bench/bench_row.h"

namespace schedulegym {

// Of the rows that have a ratio.
struct RatioSummary {
  std::optional<double> geomean;
  std::optional<double> worst;
  std::string worst_workload;
};

struct GroupSummary {
  std::string name;
  int rows = 0;
  RatioSummary any, plain;  // as in a row
};

// What the networks that were asked for take: the sums of counts times seconds, over the tasks that
// have a kernel of ours and a peer.
struct NetworkSums {
  double seconds = 0;
  double peer_seconds = 0;            // of each task its best peer's
  int tasks = 0;                      // that are in both
  std::vector<std::string> left_out;  // workloads that are in neither
};

struct BenchSummary {
  GroupSummary all;                  // without a name
  std::vector<GroupSummary> groups;  // in order of appearance
  int failures = 0;
  std::optional<double> trials_per_second;  // the median over the rows where it is known
  std::vector<std::string> left_out;        // workloads that were asked for and make no row
  std::optional<NetworkSums> network;       // where a network was asked for
  double elapsed = 0;
};

BenchSummary Summarize(std::span<const BenchRow> rows, double elapsed);

}  // namespace schedulegym
