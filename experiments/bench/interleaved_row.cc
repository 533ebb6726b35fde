#include "experiments/bench/interleaved_row.h"

#include "env/measure/timing/paired_statistics.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

// Over the rounds of several processes nothing is symmetric.
IntervalRule RuleOf(const InterleavedResult& timing) {
  return timing.processes > 1 ? IntervalRule::kSign : IntervalRule::kRank;
}

PeerSide SideOf(const InterleavedResult& timing, const std::vector<std::string>& peers,
                Layouts layouts) {
  PeerSide side;
  const InterleavedEntry* best = nullptr;
  for (const std::string& name : peers) {
    const InterleavedEntry* entry = Fastest(timing, name, layouts);
    if (entry == nullptr) continue;
    side.peers.push_back(
        {name, entry->detail, entry->seconds, entry->cpu_per_wall, entry->difference});
    if (best == nullptr || entry->seconds < best->seconds) best = entry;
  }
  if (best == nullptr) return side;
  side.best_peer = best->name;
  if (const InterleavedEntry* ours = Fastest(timing, InterleavedRow::kOurs)) {
    side.ratio = MedianRatio(best->samples, ours->samples, RuleOf(timing));
  }
  return side;
}

}  // namespace

InterleavedRow PoolInterleavedRows(std::span<const InterleavedRow> interleaved_rows) {
  std::vector<InterleavedResult> timings;
  for (const InterleavedRow& interleaved : interleaved_rows) {
    if (!interleaved.failure.empty()) return interleaved;
    timings.push_back(interleaved.timing);
  }
  return {PoolInterleaved(timings), ""};
}

BenchRow RowOf(const BenchCase& row_case, const std::vector<std::string>& peers,
               const InterleavedRow& interleaved) {
  const InterleavedResult& timing = interleaved.timing;
  BenchRow row;
  row.workload = row_case.workload;
  row.group = row_case.group;
  row.count = row_case.count;
  row.effort = row_case.effort;
  row.cores = row_case.task->target.cores;
  row.flops = CountFlops(row_case.task->dag);
  row.failure = interleaved.failure;
  row.peak_gflops = timing.peak_gflops;
  row.processes = timing.processes;
  row.short_of_cores = timing.short_of_cores;
  row.any = SideOf(timing, peers, Layouts::kAny);
  row.plain = SideOf(timing, peers, Layouts::kPlain);
  if (row_case.schedule) {
    row.origin = row_case.schedule->origin;
    row.grade = row_case.schedule->grade;
  }
  const InterleavedEntry* ours = Fastest(timing, InterleavedRow::kOurs);
  if (ours == nullptr) return row;
  row.seconds = ours->seconds;
  row.gflops = row.flops / ours->seconds * 1e-9;
  row.cpu_per_wall = ours->cpu_per_wall;
  if (row.peak_gflops) row.peak_fraction = *row.gflops / *row.peak_gflops;
  return row;
}

}  // namespace schedulegym
