// Times callables in turn, round by round, so that what slows the machine slows all: warm-up; calls
// a sample, so that one lasts `sample` seconds and 1000 readings of the clock, times 1.2; rounds in
// random order, or mirrored with a moving start. Ends when all ratio intervals stay within
// `precision` for settled_rounds, by settle=cv when the variation of samples is small, or out of
// time. Of two, the second ends early against the best
// ratio (r of n rounds):
//   rejected, r < n: in each round below best / factor^(n / r), by wall and by CPU time
//   rejected, r >= n: median * (1 + (factor - 1) (n / r)^2) < best and high^2 < median * best
//   beaten: high < middle of the best * (1 + margin)
// The published rule looks once, at n rounds. Cost: the samples, and ratios anew each round.
#include "env/measure/timing/paired_timer.h"

#include <algorithm>
#include <cmath>

#include "env/base/check.h"
#include "env/measure/timing/clocks.h"
#include "env/measure/timing/paired_statistics.h"

namespace schedulegym {
namespace {

using Callable = std::function<void()>;

// Most calls of a warm-up and of a sample; an empty call takes about ten nanoseconds.
constexpr int64_t kMostCalls = 100'000;
// Calls on the tensors that are timed: the first call may find them in no cache.
constexpr int64_t kCallsOnTensors = 2;
// A lower bound, since a coarse clock may read no time at all.
constexpr double kShortestSample = 1e-12;
// Least number of readings of the clock that a sample lasts.
constexpr double kReadingsPerSample = 1000;
// A share of a sample that is timed to find how many calls make a whole one, and the margin on that
// number.
constexpr double kTellingShare = 0.01;
constexpr double kSpare = 1.2;

double TimeOf(const Callable& call, int64_t calls, const Clock& wall) {
  const double begin = wall.Now();
  for (int64_t i = 0; i < calls; ++i) call();
  return std::max(wall.Now() - begin, kShortestSample);
}

// Times of one sample, for one call.
struct Sample {
  double wall = 0;
  double cpu = 0;
  Counters events;
};

Counters MedianEvents(const std::vector<Sample>& samples) {
  std::vector<double> instructions, cycles;
  for (const Sample& sample : samples) {
    instructions.push_back(sample.events.instructions);
    cycles.push_back(sample.events.cycles);
  }
  return {Median(std::move(instructions)), Median(std::move(cycles))};
}

class InterleavedRun {
 public:
  InterleavedRun(std::span<const Callable> callables, const Protocol& protocol,
                 const PairedClocks& clocks, const TimingOptions& options)
      : callables_(callables),
        protocol_(protocol),
        clocks_(clocks),
        options_(options),
        sample_seconds_(
            std::max(protocol.sample_seconds, kReadingsPerSample * ReadingSeconds(clocks.wall))),
        samples_(callables.size()) {
    timing_.series.resize(callables.size());
  }

  std::vector<WarmUp> WarmUpEach() const {
    SG_CHECK(options_.credit.empty() || options_.credit.size() == callables_.size(),
             "something is known of each, or nothing");
    std::vector<WarmUp> warm;
    for (size_t i = 0; i < callables_.size(); ++i) {
      warm.push_back(
          WarmUpOne(callables_[i], options_.credit.empty() ? WarmUpCredit() : options_.credit[i]));
    }
    return warm;
  }

  PairedTiming Run(std::optional<double> best_ratio, Rng& rng) {
    TakeOver(options_.warm.empty() ? WarmUpEach() : options_.warm);
    for (size_t i = 0; i < callables_.size(); ++i) order_.push_back(i);
    const auto offset = static_cast<size_t>(rng.Below(static_cast<int64_t>(order_.size())));
    for (int round = 0; round < MostRounds(round, best_ratio); ++round) {
      Arrange(round, offset, rng);
      for (const size_t index : order_) TakeSample(index);
      TakeRatios();
      const bool out_of_time = spent_seconds_ >= protocol_.max_seconds;
      timing_.early_reject = best_ratio && IsRejected(round + 1, *best_ratio, out_of_time);
      settled_ = IsSettled() ? settled_ + 1 : 0;
      if (timing_.early_reject || IsEnough(round + 1, out_of_time)) break;
      if (best_ratio && IsBeaten(round + 1, *best_ratio)) break;
    }
    Conclude();
    return std::move(timing_);
  }

 private:
  WarmUp WarmUpOne(const Callable& call, const WarmUpCredit& credit) const {
    WarmUp warm;
    warm.first_call_seconds = TimeOf(call, 1, clocks_.wall);
    if (credit.calls_per_sample > 0 && !options_.between_samples) {
      const double shortest = std::min(warm.first_call_seconds, TimeOf(call, 1, clocks_.wall));
      warm.calls_per_sample = credit.calls_per_sample;
      if (MakeASample(warm.calls_per_sample, shortest)) return warm;
    }
    const double shortest = CallUntilWarm(call, warm.first_call_seconds, credit);
    if (!options_.between_samples) warm.calls_per_sample = Calibrate(call, shortest);
    return warm;
  }

  // Whether this many calls last at least half of a sample. A disturbed calibration gives too few.
  bool MakeASample(int64_t calls, double call_seconds) const {
    return static_cast<double>(calls) * call_seconds >= sample_seconds_ / 2;
  }

  void TakeOver(const std::vector<WarmUp>& warm) {
    SG_CHECK(warm.size() == callables_.size(), "each is warm, or none");
    for (size_t i = 0; i < warm.size(); ++i) {
      timing_.series[i].first_call_seconds = warm[i].first_call_seconds;
      timing_.series[i].calls_per_sample = warm[i].calls_per_sample;
    }
  }

  // The seconds of the shortest call, the first included: none is shorter than it really is, and a
  // disturbed one does not count.
  double CallUntilWarm(const Callable& call, double first_seconds,
                       const WarmUpCredit& credit) const {
    double warm = credit.seconds;
    double shortest = first_seconds;
    const bool was_long = credit.calls > 0 && first_seconds >= protocol_.warmup_seconds;
    for (int64_t calls = 1; calls < kMostCalls && !was_long; ++calls) {
      const bool is_called = calls + credit.calls >= protocol_.warmup_calls;
      if (is_called && warm >= protocol_.warmup_seconds && calls >= kCallsOnTensors) break;
      const double seconds = TimeOf(call, 1, clocks_.wall);
      warm += seconds;
      shortest = std::min(shortest, seconds);
      if (shortest >= protocol_.warmup_seconds) break;
    }
    return shortest;
  }

  // The number of calls of a sample. Very short calls are timed in tens, hundreds and so on, until
  // they last kTellingShare of a sample.
  int64_t Calibrate(const Callable& call, double shortest_seconds) const {
    int64_t calls = 1;
    double seconds = shortest_seconds;
    while (seconds < kTellingShare * sample_seconds_ && calls < kMostCalls) {
      calls *= 10;
      seconds = std::min(TimeOf(call, calls, clocks_.wall), TimeOf(call, calls, clocks_.wall));
    }
    if (calls == 1 && seconds >= sample_seconds_) return 1;
    const double wanted =
        std::ceil(kSpare * static_cast<double>(calls) * sample_seconds_ / seconds);
    return static_cast<int64_t>(std::min(wanted, static_cast<double>(kMostCalls)));
  }

  void Arrange(int round, size_t offset, Rng& rng) {
    const size_t n = order_.size();
    for (size_t place = 0; place < n; ++place) {
      if (protocol_.order == RoundOrder::kRandom) {
        // A random callable that has no place yet.
        const auto chosen = place + static_cast<size_t>(rng.Below(static_cast<int64_t>(n - place)));
        std::swap(order_[place], order_[chosen]);
        continue;
      }
      // Mirrored in odd rounds; the beginning moves on every second round.
      const size_t step = round % 2 == 0 ? place : n - 1 - place;
      order_[place] = (offset + round / 2 + step) % n;
    }
  }

  void TakeSample(size_t index) {
    if (options_.between_samples) options_.between_samples();
    TimedSeries& series = timing_.series[index];
    const auto calls = static_cast<double>(series.calls_per_sample);
    if (options_.around_sample) options_.around_sample(index, true);
    const Counters before = options_.read_counters ? options_.read_counters() : Counters();
    const double cpu_begin = clocks_.cpu.Now();
    const double wall = TimeOf(callables_[index], series.calls_per_sample, clocks_.wall);
    const double cpu = clocks_.cpu.Now() - cpu_begin;
    const Counters after = options_.read_counters ? options_.read_counters() : Counters();
    if (options_.around_sample) options_.around_sample(index, false);
    spent_seconds_ += wall;
    samples_[index].push_back({wall / calls,
                               cpu / calls,
                               {(after.instructions - before.instructions) / calls,
                                (after.cycles - before.cycles) / calls}});
    series.samples.push_back(static_cast<float>(wall / calls));
  }

  bool IsRejected(int rounds, double best_ratio, bool out_of_time) const {
    const int full = protocol_.reject_rounds;
    if (callables_.size() != 2 || full == 0) return false;
    if (protocol_.reject == RejectRule::kPublished) {
      return rounds == full && IsAlwaysBelow(best_ratio / protocol_.reject_factor, &Sample::wall);
    }
    if (rounds < 2) return false;
    if (rounds >= full) return IsSurelySlower(rounds, best_ratio);
    if (out_of_time) return Ratio(1).high < best_ratio / protocol_.reject_factor;
    const double bound =
        best_ratio / std::pow(protocol_.reject_factor, static_cast<double>(full) / rounds);
    return IsAlwaysBelow(bound, &Sample::wall) && IsAlwaysBelow(bound, &Sample::cpu);
  }

  // The more rounds there are, the smaller the factor by which the candidate must be slower. The
  // upper end of the interval must be below the geometric mean of the median and the best.
  bool IsSurelySlower(int rounds, double best_ratio) const {
    const double share = static_cast<double>(protocol_.reject_rounds) / rounds;
    const double factor = 1 + (protocol_.reject_factor - 1) * share * share;
    const RatioInterval ratio = Ratio(1);
    return ratio.median * factor < best_ratio &&
           ratio.high * ratio.high < ratio.median * best_ratio;
  }

  // Whether more rounds would not matter: the candidate is slower than the best, or faster by so
  // little that timing the finalists decides.
  bool IsBeaten(int rounds, double best_ratio) const {
    const bool graded = protocol_.reject == RejectRule::kGraded && protocol_.reject_rounds > 0;
    return graded && callables_.size() == 2 && rounds >= protocol_.beaten_rounds &&
           Ratio(1).high < MiddleOf(best_ratio) * (1 + protocol_.beaten_margin);
  }

  // The middle of the best's interval. The caller gives its lower end, which is about `precision`
  // below the middle.
  double MiddleOf(double best_ratio) const { return best_ratio * (1 + protocol_.precision); }

  // Whether the second's ratio was below `bound` in every round.
  bool IsAlwaysBelow(double bound, double Sample::*time) const {
    for (size_t round = 0; round < samples_[1].size(); ++round) {
      if (!(samples_[0][round].*time < bound * samples_[1][round].*time)) return false;
    }
    return true;
  }

  bool IsEnough(int rounds, bool out_of_time) const {
    if (out_of_time && rounds >= protocol_.long_rounds) return true;
    if (protocol_.settle == SettleRule::kVariation) return HasLittleVariation(rounds);
    return rounds >= protocol_.min_rounds && settled_ >= protocol_.settled_rounds;
  }

  // The first callable is the reference, which is timed beside the others.
  bool HasLittleVariation(int rounds) const {
    if (rounds < protocol_.variation_rounds) return false;
    return std::all_of(timing_.series.begin() + 1, timing_.series.end(), [&](const auto& series) {
      return VariationOf(series.samples) < protocol_.variation;
    });
  }

  bool IsSettled() const {
    for (size_t i = 1; i < callables_.size(); ++i) {
      if (!IsPrecise(Ratio(i), protocol_.precision)) return false;
    }
    return true;
  }

  const RatioInterval& Ratio(size_t index) const { return timing_.series[index].ratio; }

  void TakeRatios() {
    for (TimedSeries& series : timing_.series) {
      series.ratio = MedianRatio(timing_.series[0].samples, series.samples, protocol_.interval);
    }
  }

  // Limit of rounds; it is higher for a candidate that may be better than the best so far.
  int MostRounds(int rounds, std::optional<double> best_ratio) const {
    if (rounds < protocol_.max_rounds) return protocol_.max_rounds;
    for (size_t i = 1; i < callables_.size(); ++i) {
      if (Ratio(i).median >= MiddleOf(best_ratio.value_or(0))) return protocol_.best_rounds;
    }
    return protocol_.max_rounds;
  }

  void Conclude() {
    for (size_t i = 0; i < timing_.series.size(); ++i) {
      TimedSeries& series = timing_.series[i];
      series.median_seconds = Median({series.samples.begin(), series.samples.end()});
      double cpu = 0, wall = 0;
      for (const Sample& sample : samples_[i]) {
        cpu += sample.cpu;
        wall += sample.wall;
      }
      series.cpu_per_wall = cpu / wall;
      if (options_.read_counters) series.counters = MedianEvents(samples_[i]);
    }
  }

  std::span<const Callable> callables_;
  const Protocol& protocol_;
  const PairedClocks& clocks_;
  const TimingOptions& options_;
  double sample_seconds_;
  double spent_seconds_ = 0;  // of all samples
  int settled_ = 0;           // rounds in a row whose intervals were all narrow enough
  PairedTiming timing_;
  std::vector<size_t> order_;                 // of the callables in this round
  std::vector<std::vector<Sample>> samples_;  // by callable
};

}  // namespace

std::vector<WarmUp> WarmUpEach(std::span<const Callable> callables, const Protocol& protocol,
                               const PairedClocks& clocks, const TimingOptions& options) {
  return InterleavedRun(callables, protocol, clocks, options).WarmUpEach();
}

PairedTiming TimeInterleaved(std::span<const Callable> callables, const Protocol& protocol,
                             std::optional<double> best_ratio, const PairedClocks& clocks, Rng& rng,
                             const TimingOptions& options) {
  SG_CHECK(!callables.empty() && protocol.max_rounds >= 1, "something to time, at least once");
  return InterleavedRun(callables, protocol, clocks, options).Run(best_ratio, rng);
}

}  // namespace schedulegym
