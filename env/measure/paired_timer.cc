#include "env/measure/paired_timer.h"

#include <algorithm>
#include <cmath>

#include "env/base/check.h"
#include "env/measure/paired_statistics.h"

namespace schedulegym {
namespace {

using Callable = std::function<void()>;

// A warm-up of slow calls ends at this multiple of its time, however few they were.
constexpr double kLongWarmup = 4;
// Of a warm-up and of a sample; an empty call takes about ten nanoseconds.
constexpr int64_t kMostCalls = 100'000;
// What a coarse clock may read as no time at all.
constexpr double kShortestSample = 1e-12;

double TimeOf(const Callable& call, int64_t calls, const Clock& wall) {
  const double begin = wall.Now();
  for (int64_t i = 0; i < calls; ++i) call();
  return std::max(wall.Now() - begin, kShortestSample);
}

class InterleavedRun {
 public:
  InterleavedRun(std::span<const Callable> callables, const Protocol& protocol,
                 const PairedClocks& clocks)
      : callables_(callables),
        protocol_(protocol),
        clocks_(clocks),
        cpu_seconds_(callables.size()),
        wall_seconds_(callables.size()) {
    timing_.series.resize(callables.size());
  }

  PairedTiming Run(std::optional<double> best_ratio, Rng& rng) {
    for (size_t i = 0; i < callables_.size(); ++i) Prepare(i);
    const int offset = static_cast<int>(rng.Below(static_cast<int64_t>(callables_.size())));
    const double begin = clocks_.wall.Now();
    for (int round = 0; round < protocol_.max_rounds; ++round) {
      TakeRound(round, offset);
      const bool out_of_time = clocks_.wall.Now() - begin >= protocol_.max_seconds;
      timing_.early_reject = best_ratio && IsRejected(round + 1, *best_ratio, out_of_time);
      if (timing_.early_reject || IsEnough(round + 1, out_of_time)) break;
    }
    Conclude();
    return std::move(timing_);
  }

 private:
  // First call, warm-up, and how many calls make a sample.
  void Prepare(size_t index) {
    const Callable& call = callables_[index];
    TimedSeries& series = timing_.series[index];
    series.first_call_seconds = TimeOf(call, 1, clocks_.wall);
    double warm = series.first_call_seconds;
    for (int calls = 1; calls < protocol_.warmup_calls || warm < protocol_.warmup_seconds;
         ++calls) {
      if (warm >= kLongWarmup * protocol_.warmup_seconds || calls >= kMostCalls) break;
      warm += TimeOf(call, 1, clocks_.wall);
    }
    int64_t& calls = series.calls_per_sample;
    while (calls < kMostCalls) {
      const double seconds = TimeOf(call, calls, clocks_.wall);
      if (seconds >= protocol_.sample_seconds) break;
      const double wanted =
          std::ceil(1.2 * static_cast<double>(calls) * protocol_.sample_seconds / seconds);
      calls = std::clamp(static_cast<int64_t>(std::min(wanted, 1e9)), calls + 1,
                         std::min(10 * calls, kMostCalls));
    }
  }

  void TakeRound(int round, int offset) {
    const int n = static_cast<int>(callables_.size());
    for (int place = 0; place < n; ++place) {
      // Mirrored in odd rounds; the beginning moves on every second round.
      const int step = round % 2 == 0 ? place : n - 1 - place;
      TakeSample((offset + round / 2 + step) % n);
    }
  }

  void TakeSample(size_t index) {
    TimedSeries& series = timing_.series[index];
    const double cpu_begin = clocks_.cpu.Now();
    const double seconds = TimeOf(callables_[index], series.calls_per_sample, clocks_.wall);
    cpu_seconds_[index] += clocks_.cpu.Now() - cpu_begin;
    wall_seconds_[index] += seconds;
    series.samples.push_back(
        static_cast<float>(seconds / static_cast<double>(series.calls_per_sample)));
  }

  // Two rounds tell enough of a kernel so slow that it has used up all the time.
  bool IsRejected(int rounds, double best_ratio, bool out_of_time) const {
    if (callables_.size() != 2 || protocol_.reject_rounds == 0) return false;
    if (rounds < protocol_.reject_rounds && !(out_of_time && rounds >= 2)) return false;
    const RatioInterval ratio = MedianRatio(timing_.series[0].samples, timing_.series[1].samples);
    return ratio.high * protocol_.reject_factor < best_ratio;
  }

  bool IsEnough(int rounds, bool out_of_time) {
    if (out_of_time && rounds >= protocol_.long_rounds) return true;
    if (rounds < protocol_.min_rounds) return false;
    return std::all_of(timing_.series.begin(), timing_.series.end(), [&](const TimedSeries& one) {
      return IsPrecise(MedianRatio(timing_.series[0].samples, one.samples), protocol_.precision);
    });
  }

  void Conclude() {
    for (size_t i = 0; i < timing_.series.size(); ++i) {
      TimedSeries& series = timing_.series[i];
      series.ratio = MedianRatio(timing_.series[0].samples, series.samples);
      series.median_seconds = Median({series.samples.begin(), series.samples.end()});
      series.cpu_per_wall = cpu_seconds_[i] / wall_seconds_[i];
    }
  }

  std::span<const Callable> callables_;
  const Protocol& protocol_;
  const PairedClocks& clocks_;
  PairedTiming timing_;
  std::vector<double> cpu_seconds_, wall_seconds_;
};

}  // namespace

PairedTiming TimeInterleaved(std::span<const Callable> callables, const Protocol& protocol,
                             std::optional<double> best_ratio, const PairedClocks& clocks,
                             Rng& rng) {
  SG_CHECK(!callables.empty() && protocol.max_rounds >= 1, "something to time, at least once");
  return InterleavedRun(callables, protocol, clocks).Run(best_ratio, rng);
}

}  // namespace schedulegym
