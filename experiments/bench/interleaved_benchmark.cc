#include "experiments/bench/interleaved_benchmark.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "experiments/bench/peers/peak.h"

namespace schedulegym {
namespace {

Protocol ProtocolOf(const InterleavedOptions& options) {
  Protocol protocol;
  protocol.sample_seconds = options.sample_seconds;
  protocol.min_rounds = protocol.max_rounds = protocol.long_rounds = options.rounds;
  protocol.best_rounds = options.rounds;
  protocol.max_seconds = std::numeric_limits<double>::infinity();
  return protocol;
}

// The least CPU time over wall time of the kernels that count: the fastest of each name, plain or
// not, and the peak, which comes last.
double LeastShare(const std::vector<InterleavedKernel>& contenders, const PairedTiming& timing) {
  std::map<std::pair<std::string, bool>, const TimedSeries*> fastest;
  for (size_t i = 0; i < contenders.size(); ++i) {
    const TimedSeries*& best = fastest[{contenders[i].name, contenders[i].is_plain}];
    const TimedSeries& series = timing.series[i];
    if (best == nullptr || series.median_seconds < best->median_seconds) best = &series;
  }
  double least = std::numeric_limits<double>::infinity();
  if (timing.series.size() > contenders.size()) least = timing.series.back().cpu_per_wall;
  for (const auto& [name, series] : fastest) least = std::min(least, series->cpu_per_wall);
  return least;
}

}  // namespace

InterleavedResult RunInterleaved(const std::vector<InterleavedKernel>& contenders, DType type,
                                 int cores, const InterleavedOptions& options,
                                 const PairedClocks& clocks, Rng& rng) {
  std::vector<std::function<void()>> calls;
  for (const InterleavedKernel& contender : contenders) calls.push_back(contender.call);
  std::optional<PeakLoop> peak;
  if (type == DType::kF32 || type == DType::kF64) {
    peak.emplace(type, cores, clocks.wall, options.most_bits);
    calls.push_back([&peak] { peak->Run(); });
  }

  PairedTiming best;
  double best_share = -1;
  for (int attempt = 0; attempt < options.attempts; ++attempt) {
    PairedTiming timing = TimeInterleaved(calls, ProtocolOf(options), std::nullopt, clocks, rng);
    const double share = LeastShare(contenders, timing);
    if (share > best_share) {
      best_share = share;
      best = std::move(timing);
    }
    if (best_share >= options.least_share * cores) break;
  }

  InterleavedResult result;
  result.cpu_per_wall = best_share;
  result.short_of_cores = best_share < options.least_share * cores;
  for (size_t i = 0; i < contenders.size(); ++i) {
    TimedSeries& series = best.series[i];
    result.entries.push_back({contenders[i].name,
                              contenders[i].detail,
                              series.median_seconds,
                              std::move(series.samples),
                              series.cpu_per_wall,
                              contenders[i].is_plain,
                              {}});
  }
  if (peak) {
    result.peak_gflops = peak->flops() / best.series.back().median_seconds * 1e-9;
    result.peak_detail = peak->detail();
  }
  return result;
}

}  // namespace schedulegym
