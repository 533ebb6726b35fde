#include "experiments/bench/bench_summary.h"

#include <algorithm>
#include <cmath>

namespace schedulegym {
namespace {

using Rows = std::vector<const BenchRow*>;

RatioSummary SummarizeSide(const Rows& rows, PeerSide BenchRow::*side) {
  RatioSummary summary;
  double logarithms = 0;
  int ratios = 0;
  for (const BenchRow* row : rows) {
    const std::optional<RatioInterval>& ratio = (row->*side).ratio;
    if (!ratio) continue;
    logarithms += std::log(ratio->median);
    ++ratios;
    if (summary.worst && *summary.worst <= ratio->median) continue;
    summary.worst = ratio->median;
    summary.worst_workload = row->workload;
  }
  if (ratios > 0) summary.geomean = std::exp(logarithms / ratios);
  return summary;
}

std::optional<double> MedianSpeed(std::span<const BenchRow> rows) {
  std::vector<double> speeds;
  for (const BenchRow& row : rows) {
    const std::optional<double> speed = row.effort ? row.effort->TrialsPerSecond() : std::nullopt;
    if (speed) speeds.push_back(*speed);
  }
  if (speeds.empty()) return std::nullopt;
  std::ranges::sort(speeds);
  const size_t half = speeds.size() / 2;
  return speeds.size() % 2 == 1 ? speeds[half] : (speeds[half - 1] + speeds[half]) / 2;
}

GroupSummary SummarizeGroup(const std::string& name, const Rows& rows) {
  return {name, static_cast<int>(rows.size()), SummarizeSide(rows, &BenchRow::any),
          SummarizeSide(rows, &BenchRow::plain)};
}

// Seconds of the fastest; none without a peer.
std::optional<double> BestPeer(const BenchRow& row) {
  std::optional<double> best;
  for (const PeerResult& peer : row.any.peers)
    best = std::min(best.value_or(peer.seconds), peer.seconds);
  return best;
}

std::optional<NetworkSums> SumUp(std::span<const BenchRow> rows) {
  std::optional<NetworkSums> sums;
  for (const BenchRow& row : rows) {
    if (row.count == 0) continue;
    if (!sums) sums.emplace();
    const std::optional<double> peer = BestPeer(row);
    if (!row.seconds || !peer) {
      sums->left_out.push_back(row.workload);
      continue;
    }
    sums->seconds += row.count * *row.seconds;
    sums->peer_seconds += row.count * *peer;
    ++sums->tasks;
  }
  return sums;
}

}  // namespace

BenchSummary Summarize(std::span<const BenchRow> rows, double elapsed) {
  Rows all;
  std::vector<std::pair<std::string, Rows>> groups;
  BenchSummary summary;
  for (const BenchRow& row : rows) {
    all.push_back(&row);
    if (!row.failure.empty()) ++summary.failures;
    auto group = std::ranges::find(groups, row.group, &std::pair<std::string, Rows>::first);
    if (group == groups.end()) group = groups.insert(group, {row.group, {}});
    group->second.push_back(&row);
  }
  summary.all = SummarizeGroup("", all);
  for (const auto& [name, members] : groups) {
    summary.groups.push_back(SummarizeGroup(name, members));
  }
  summary.trials_per_second = MedianSpeed(rows);
  summary.network = SumUp(rows);
  summary.elapsed = elapsed;
  return summary;
}

}  // namespace schedulegym
