#include "backends/runner/combine_measurements.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "env/base/check.h"
#include "env/measure/timing/paired_statistics.h"

namespace schedulegym {
namespace {

constexpr size_t kMostSamples = 128;
// By what factor the reference may be slower than in the fastest process. Where memory lies moves a
// kernel's time by some percent.
constexpr double kMostSlowdown = 1.25;

// `most` of the values, evenly spread.
std::vector<float> Thinned(const std::vector<float>& values, size_t most) {
  if (values.size() <= most) return values;
  std::vector<float> kept;
  for (size_t i = 0; i < most; ++i) kept.push_back(values[i * values.size() / most]);
  return kept;
}

void Append(const std::vector<float>& from, std::vector<float>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

double ReferenceSeconds(const Measurement& measurement) {
  const std::vector<float>& samples = measurement.timing->reference_samples;
  return Median({samples.begin(), samples.end()});
}

double MedianOf(std::span<const Timing> timings, double Timing::*member) {
  std::vector<double> values;
  for (const Timing& timing : timings) values.push_back(timing.*member);
  return Median(std::move(values));
}

}  // namespace

Timing CombineTimings(std::span<const Timing> timings) {
  SG_CHECK(!timings.empty(), "something to combine");
  std::vector<float> samples, reference_samples;
  Timing combined = timings.front();
  combined.samples.clear();
  combined.reference_samples.clear();
  const size_t share = kMostSamples / timings.size();
  for (const Timing& timing : timings) {
    Append(timing.samples, samples);
    Append(timing.reference_samples, reference_samples);
    Append(Thinned(timing.samples, share), combined.samples);
    Append(Thinned(timing.reference_samples, share), combined.reference_samples);
    combined.early_reject |= timing.early_reject;
    combined.short_of_threads |= timing.short_of_threads;
  }
  // Every timing's seconds are the session's time of the reference over its own ratio.
  const double reference_seconds = timings.front().seconds * timings.front().ratio.median;
  combined.ratio = MedianRatio(reference_samples, samples, IntervalRule::kSign);
  combined.seconds = reference_seconds / combined.ratio.median;
  combined.first_call_seconds = MedianOf(timings, &Timing::first_call_seconds);
  combined.cpu_per_wall = MedianOf(timings, &Timing::cpu_per_wall);
  return combined;
}

std::optional<std::vector<Measurement>> CalmestOf(std::span<const Measurement> measurements,
                                                  size_t count) {
  std::vector<Measurement> sorted(measurements.begin(), measurements.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const Measurement& a, const Measurement& b) {
    return ReferenceSeconds(a) < ReferenceSeconds(b);
  });
  if (sorted.size() < count || count == 0) return std::nullopt;
  sorted.resize(count);
  const bool are_calm =
      ReferenceSeconds(sorted.back()) <= kMostSlowdown * ReferenceSeconds(sorted.front());
  return are_calm ? std::optional(std::move(sorted)) : std::nullopt;
}

Measurement CombineMeasurements(std::span<const Measurement> measurements) {
  SG_CHECK(!measurements.empty(), "something to combine");
  Measurement combined = measurements.front();
  std::vector<Timing> timings;
  combined.phases = {};
  for (const Measurement& one : measurements) {
    SG_CHECK(one.ok(), "only what was measured is combined");
    timings.push_back(*one.timing);
    combined.phases.compile += one.phases.compile;
    combined.phases.verify += one.phases.verify;
    combined.phases.measure += one.phases.measure;
  }
  combined.timing = CombineTimings(timings);
  return combined;
}

}  // namespace schedulegym
