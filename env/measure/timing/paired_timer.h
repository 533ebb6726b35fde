// PairedTimer: times several callables interleaved, so that drift and noise hit all alike.
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

// What one of the callables took.
struct TimedSeries {
  double first_call_seconds = 0;
  int64_t calls_per_sample = 1;
  std::vector<float> samples;        // seconds for one call, one a round
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

// What warming up a callable found out.
struct WarmUp {
  double first_call_seconds = 0;
  int64_t calls_per_sample = 1;
};

// What is known of a callable before it is warmed up.
struct WarmUpCredit {
  // Calls in this process, moments ago, on other tensors: they count as calls that warm it up.
  int64_t calls = 0;
  double seconds = 0;  // that these took
  // How many calls make a sample, as an earlier calibration of the same callable found; 0: unknown.
  int64_t calls_per_sample = 0;
};

struct TimingOptions {
  // One for each callable, or empty: nothing is known.
  std::vector<WarmUpCredit> credit;
  // One for each callable, found a moment ago, perhaps on another processor: then rounds begin at
  // once, the first of which finds the caches of that one. Empty: they are warmed up first.
  std::vector<WarmUp> warm;
  // Cold caches: called before every sample, outside its time; a sample is then a single call.
  std::function<void()> between_samples;
  // Called before and after every sample, outside its time, with the callable's position: for those
  // who watch the clock from elsewhere.
  std::function<void(size_t series, bool begins)> around_sample;
  // The events counted so far; read around every sample.
  std::function<Counters()> read_counters;
};

// Warms up and calibrates each, as TimeInterleaved does first: for those who want to have that done
// before their turn on a quiet processor.
std::vector<WarmUp> WarmUpEach(std::span<const std::function<void()>> callables,
                               const Protocol& protocol, const PairedClocks& clocks,
                               const TimingOptions& options = {});

// Warms up and calibrates each, then takes rounds of one sample each until the protocol is
// satisfied with the ratio of every callable to the first.
//
// By default the order within a round is drawn for each round: then the sign of each logarithm of
// the ratio of equal callables is a fair coin, whatever the noise, and that is all that a sign test
// takes for granted. In a fixed order, ABBA BAAB, disturbances that last several samples or come in
// a rhythm hit one callable more than the other in many rounds: on two cores with four to eight
// busy processes 10.1 % of 800 equal pairs were called different, against 5.9 % in random order.
//
// A callable is warm after warmup_calls calls, the first included, that took warmup_seconds, the
// first excluded; or as soon as two calls took warmup_seconds each: what lasts so long has filled
// its caches and started its threads in one. Calls of before count (WarmUpCredit), but for one on
// the tensors that it is timed on; and one that was calibrated before is called twice. Samples are
// lengthened until a reading of the clock costs less than 0.1 % of one. The protocol's seconds are
// those of its samples alone.
//
// Rounds end at max_rounds; at best_rounds, if no `best_ratio` is given or the ratio lies above it
// by more than the precision.
//
// By the rule of signs, looking after every round and stopping at the first narrow interval calls
// up to 6.5 % of equal pairs different instead of 5 %, for chance makes intervals narrow off the
// truth, too; asking for two narrow ones in a row brings that back to 5.2 %, for at most four
// rounds more.
//
// With `best_ratio`, two callables are stopped early when the second is clearly slower than the
// best so far, by the protocol's factor f and number of rounds n:
// - published: its ratio is below best_ratio / f in each of the first n rounds;
// - graded: before round n, from the second on, when that holds by f^(n / rounds) in every round,
//   in wall time and in CPU time both, for a preempted sample looks slow by the wall alone; from
//   round n on when the median lies below the best by the factor 1 + (f - 1) (n / rounds)^2, and
//   the whole interval by more than half of the median's distance: what is a little slower is
//   known as well as a search needs it long before the interval is as narrow as the best's must
//   be. Once the time is used up, when the whole interval lies below best_ratio / f.
// With settle=cv the samples decide instead of the interval: rounds end at the first, from
// cv_rounds on, where the variation of each callable but the first is below cv.
//
// By the graded rule what is not rejected is timed no further than beaten_rounds once its whole
// interval lies below the best's middle, for which best_ratio plus the precision is taken, and
// beaten_margin more: how near it comes, or by how little it is better, is for finalists to tell.
// Of the time of 5,000 convolutions of two threads the margin leaves out a tenth; what looked best
// then was what looked best after all samples.
PairedTiming TimeInterleaved(std::span<const std::function<void()>> callables,
                             const Protocol& protocol, std::optional<double> best_ratio,
                             const PairedClocks& clocks, Rng& rng,
                             const TimingOptions& options = {});

}  // namespace schedulegym
