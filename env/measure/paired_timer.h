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
  std::vector<float> samples;  // seconds for one call, one a round
  double cpu_per_wall = 1;     // over all samples
  RatioInterval ratio;         // seconds of the first callable over seconds of this one
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

// Warms up and calibrates each, then takes rounds until the protocol is satisfied with the ratio of
// every callable to the first. Each round orders the callables by a randomly begun cyclic Latin
// square and its mirror in turn (ABBA for two). With `best_ratio`, two callables are stopped early
// when the whole interval of the second's ratio lies below best_ratio / reject_factor: after the
// first five rounds that takes all of them, later some may disagree.
PairedTiming TimeInterleaved(std::span<const std::function<void()>> callables,
                             const Protocol& protocol, std::optional<double> best_ratio,
                             const PairedClocks& clocks, Rng& rng);

}  // namespace schedulegym
