#include "experiments/bench/bench_text.h"

#include <cstdarg>
#include <cstdio>

namespace schedulegym {
namespace {

__attribute__((format(printf, 1, 2))) std::string Format(const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  return text;
}

std::string Number(std::optional<double> value, int width, int decimals) {
  return value ? Format("%*.*f", width, decimals, *value) : Format("%*s", width, "-");
}

std::string Microseconds(std::optional<double> seconds) {
  return Number(seconds ? std::optional(*seconds * 1e6) : std::nullopt, 11, 1);
}

std::string Ratio(const PeerSide& side) {
  if (!side.ratio) return Format("%-22s", "-");
  return Format(
      "%-22s",
      Format("%.3f [%.3f, %.3f]", side.ratio->median, side.ratio->low, side.ratio->high).c_str());
}

std::string PeerText(const BenchRow& row, const PeerResult& peer, const char* layouts) {
  return Format("%s%s %.1f us = %.1f GFLOP/s (%s)  ", peer.name.c_str(), layouts,
                peer.seconds * 1e6, row.flops / peer.seconds * 1e-9, peer.detail.c_str());
}

// Each library's best way, and its best plain one where that is another.
std::string PeersText(const BenchRow& row) {
  std::string text;
  for (const PeerResult& peer : row.any.peers) {
    text += PeerText(row, peer, "");
    for (const PeerResult& plain : row.plain.peers) {
      const bool is_other = plain.name == peer.name && plain.detail != peer.detail;
      if (is_other) text += PeerText(row, plain, ", plain");
    }
  }
  return text.empty() ? "no peer  " : text;
}

std::string EffortText(const SearchEffort& effort) {
  const std::string text = Format("  %lld trials", static_cast<long long>(effort.trials));
  const bool is_cut_short = effort.stopped == "seconds" || effort.stopped == "interrupted";
  return text + (effort.seconds > 0 ? Format(" in %.0f s", effort.seconds) : "") +
         (is_cut_short ? " (cut short)" : "");
}

std::string GroupText(const GroupSummary& group) {
  return Format("  %-12s %3d rows  ", group.name.c_str(), group.rows) +
         Number(group.any.geomean, 6, 3) + "  " + Number(group.plain.geomean, 6, 3) + "\n";
}

std::string WorstText(const char* what, const RatioSummary& ratios) {
  if (!ratios.worst) return "";
  return Format("  %s: %.3f, ", what, *ratios.worst) + ratios.worst_workload + "\n";
}

std::string NetworkText(const NetworkSums& sums) {
  std::string text = Format(
      "  network, by count: ours %.1f us, the best peers %.1f us, ours over theirs %s; %d tasks\n",
      sums.seconds * 1e6, sums.peer_seconds * 1e6,
      Number(sums.tasks > 0 ? std::optional(sums.seconds / sums.peer_seconds) : std::nullopt, 1, 3)
          .c_str(),
      sums.tasks);
  for (const std::string& workload : sums.left_out) {
    text += "  in neither sum, without a peer or a kernel: " + workload + "\n";
  }
  return text;
}

}  // namespace

std::string BenchHeaderText() {
  return Format("%-60s %5s %11s %9s %9s  %-22s %-22s %s", "workload", "cores", "us", "GFLOP/s",
                "of peak", "ratio to best layout", "ratio to plain layout", "peers");
}

std::string BenchRowText(const BenchRow& row) {
  std::string text = Format("%-60s %5d ", row.workload.c_str(), row.cores) +
                     Microseconds(row.seconds) + " " + Number(row.gflops, 9, 1) + " " +
                     Number(row.peak_fraction, 9, 2) + "  " + Ratio(row.any) + " " +
                     Ratio(row.plain) + " " + PeersText(row);
  if (row.peak_gflops) text += Format("peak %.0f GFLOP/s", *row.peak_gflops);
  if (row.effort) text += EffortText(*row.effort);
  if (row.short_of_cores) text += "  (cores were busy with something else)";
  if (!row.failure.empty()) text += "\n  failed: " + row.failure;
  return text;
}

std::string BenchSummaryText(const BenchSummary& summary) {
  std::string text =
      Format("%d rows, %d failed, %.1f s", summary.all.rows, summary.failures, summary.elapsed);
  if (summary.all.any.geomean) {
    text += Format(", geometric mean of the ratios %.3f", *summary.all.any.geomean);
  }
  if (summary.all.plain.geomean) {
    text += Format(", to plain layouts %.3f", *summary.all.plain.geomean);
  }
  if (summary.trials_per_second) {
    text += Format(", trials a second in the median %.2f", *summary.trials_per_second);
  }
  text += "\n";
  for (const std::string& workload : summary.left_out) text += "  left out: " + workload + "\n";
  if (summary.network) text += NetworkText(*summary.network);
  if (!summary.all.any.geomean) return text;
  for (const GroupSummary& group : summary.groups) text += GroupText(group);
  text += WorstText("worst", summary.all.any);
  return text + WorstText("worst beside plain layouts", summary.all.plain);
}

}  // namespace schedulegym
