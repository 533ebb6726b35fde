#include "backends/runner/measured_task.h"

#include <algorithm>

#include "env/measure/outcome.h"
#include "env/measure/record.h"
#include "env/measure/timing/paired_statistics.h"

namespace schedulegym {
namespace {

// By what factor the reference may be slower than usual. Up to 1.5 ratios move by some percent,
// which finalists are there to tell; beyond they have moved by a half.
constexpr double kMostSlowdown = 1.5;
constexpr double kMostSlowdownOfOthers = 3;

}  // namespace

bool MeasuredTask::WouldBeBest(const Measurement& measurement) const {
  return measurement.ok() && (!best || IsBetter(measurement, *best));
}

void MeasuredTask::Note(const Key& state, const Measurement& measurement) {
  if (MayLearnFrom(measurement.outcome)) known[state] = measurement;
  if (!measurement.ok()) return;
  // The lower end: a lucky reading must not reject what is as good.
  best_ratio = std::max(best_ratio.value_or(0), measurement.timing->ratio.low);
  if (WouldBeBest(measurement)) best = measurement;
}

bool MeasuredTask::IsDisturbed(const Timing& timing, bool matters, double now) {
  if (timing.reference_samples.empty()) return false;
  const double seconds = Median({timing.reference_samples.begin(), timing.reference_samples.end()});
  const double slowdown = usual.Slowdown(seconds);
  usual.Note(seconds, now);
  return slowdown > (matters ? kMostSlowdown : kMostSlowdownOfOthers);
}

}  // namespace schedulegym
