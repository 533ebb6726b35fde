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

std::string Ratio(const BenchRow& row) {
  if (!row.ratio) return "-";
  return Format("%.3f [%.3f, %.3f]", row.ratio->median, row.ratio->low, row.ratio->high);
}

}  // namespace

std::string BenchHeaderText() {
  return Format("%-60s %5s %11s %9s %9s  %-22s %s", "workload", "cores", "us", "GFLOP/s", "of peak",
                "ratio to best peer", "peers");
}

std::string BenchRowText(const BenchRow& row) {
  std::string text = Format("%-60s %5d ", row.workload.c_str(), row.cores) +
                     Microseconds(row.seconds) + " " + Number(row.gflops, 9, 1) + " " +
                     Number(row.peak_fraction, 9, 2) + Format("  %-22s ", Ratio(row).c_str());
  for (const PeerResult& peer : row.peers) {
    text += Format("%s %.1f us = %.1f GFLOP/s (%s)  ", peer.name.c_str(), peer.seconds * 1e6,
                   row.flops / peer.seconds * 1e-9, peer.detail.c_str());
  }
  if (row.peers.empty()) text += "none  ";
  if (row.peak_gflops) text += Format("peak %.0f GFLOP/s", *row.peak_gflops);
  if (row.short_of_cores) text += "  (cores were busy with something else)";
  if (!row.failure.empty()) text += "\n  failed: " + row.failure;
  return text;
}

std::string BenchSummaryText(const BenchSummary& summary) {
  std::string text =
      Format("%d rows, %d failed, %.1f s", summary.rows, summary.failures, summary.elapsed);
  if (summary.geomean_ratio) {
    text += Format(", geometric mean of the ratios %.3f", *summary.geomean_ratio);
  }
  return text;
}

}  // namespace schedulegym
