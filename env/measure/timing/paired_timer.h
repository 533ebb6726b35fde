// PairedTimer: times several callables interleaved, so that drift and noise affect all alike.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "env/base/clock.h"
#include "env/base/rng.h"
#include "env/measure/measurement.h"
#include "env/measure/protocol.h"

namespace schedulegym {

// Timing of one callable.
struct TimedSeries {
  double first_call_seconds = 0;
  int64_t calls_per_sample = 1;
  std::vector<float> samples;        // seconds for one call, one per round
  double cpu_per_wall = 1;           // over all samples
  std::optional<Counters> counters;  // of one call, medians over the samples
  RatioInterval ratio;               // seconds of the first callable over seconds of this one
  double median_seconds = 0;
};

struct PairedTiming {
  std::vector<TimedSeries> series;  // in the order of the callables
  bool early_reject = false;
};

struct PairedClocks {
  const Clock& wall;
  const Clock& cpu;
};

// Result of warming up a callable.
struct WarmUp {
  double first_call_seconds = 0;
  int64_t calls_per_sample = 1;
};

// Earlier calls and calibration of a callable, before it is warmed up.
struct WarmUpCredit {
  // Recent calls in this process on other tensors; they count as warm-up calls.
  int64_t calls = 0;
  double seconds = 0;  // of these calls
  // Calls per sample by an earlier calibration of the same callable; 0: unknown.
  int64_t calls_per_sample = 0;
};

struct TimingOptions {
  // One for each callable, or empty: no credit.
  std::vector<WarmUpCredit> credit;
  // One for each callable from a recent warm-up, perhaps on another processor. Rounds then begin at
  // once, and the first may run with cold caches. Empty: callables are warmed up first.
  std::vector<WarmUp> warm;
  // Cold caches: called before every sample, outside its time; a sample is then a single call.
  std::function<void()> between_samples;
  // Called before and after every sample, outside its time, with the callable's position, so that
  // an observer outside this timer can watch the clock.
  std::function<void(size_t series, bool begins)> around_sample;
  // Returns the events counted so far; called around every sample.
  std::function<Counters()> read_counters;
};

// Warms up and calibrates each callable, as TimeInterleaved does first, so that this can be done
// before the caller's turn on a quiet processor.
std::vector<WarmUp> WarmUpEach(std::span<const std::function<void()>> callables,
                               const Protocol& protocol, const PairedClocks& clocks,
                               const TimingOptions& options = {});

// Warms up and calibrates each callable, then takes rounds of one sample each until the ratio of
// every callable to the first meets the protocol.
//
// By default the order in a round is random. The sign of each logarithm of the ratio of equal
// callables is then a fair coin, whatever the noise; a sign test assumes only that. In a fixed
// order, ABBA BAAB, disturbances that are periodic or last several samples affect one callable more
// than the other in many rounds: on two cores with four to eight busy processes 10.1 % of 800 equal
// pairs were classified as different, against 5.9 % in random order.
//
// A callable is warm after warmup_calls calls, the first included, that took warmup_seconds, the
// first excluded; or as soon as two calls took warmup_seconds each: one call of that length fills
// the caches and starts the threads. Earlier calls count (WarmUpCredit), except one on the tensors
// that it is timed on. A callable that was calibrated before is called twice. Samples are
// lengthened until a reading of the clock costs less than 0.1 % of one. The protocol's seconds are
// those of its samples alone.
//
// Rounds end at max_rounds; at best_rounds, if no `best_ratio` is given or the ratio lies above it
// by more than the precision.
//
// By the rule of signs, a check after every round that stops at the first narrow interval
// classifies up to 6.5 % of equal pairs as different instead of 5 %: intervals off the truth may be
// narrow by chance, too. Two narrow intervals in a row reduce that to 5.2 %, for at most four
// rounds more.
//
// With `best_ratio`, two callables are stopped early when the second is clearly slower than the
// best so far, by the protocol's factor f and number of rounds n:
// - published: its ratio is below best_ratio / f in each of the first n rounds;
// - graded: before round n, from the second on, when that holds by f^(n / rounds) in every round,
//   in wall time and in CPU time both, for a preempted sample looks slow by the wall alone; from
//   round n on when the median lies below the best by the factor 1 + (f - 1) (n / rounds)^2, and
//   the whole interval by more than half of the median's distance: for a slightly slower candidate
//   a search needs a less narrow interval than for the best. Once the time is used up, when the
//   whole interval lies below best_ratio / f.
// With settle=cv the samples decide instead of the interval: rounds end at the first, from
// cv_rounds on, where the variation of each callable but the first is below cv.
//
// By the graded rule a candidate that is not rejected is timed for at most beaten_rounds once its
// whole interval lies below the best's middle (best_ratio plus the precision) and beaten_margin
// more: the timing of finalists decides such small differences. On 5,000 convolutions of two
// threads the margin saves a tenth of the time, and the apparent best was the same as after all
// samples.
PairedTiming TimeInterleaved(std::span<const std::function<void()>> callables,
                             const Protocol& protocol, std::optional<double> best_ratio,
                             const PairedClocks& clocks, Rng& rng,
                             const TimingOptions& options = {});

}  // namespace schedulegym
