// Decides which times are valid. Lower bound of a kernel: max(flops / (6e9 * 4 * 2 * 1.05 * lanes),
// output bytes / (6e9 * 2 * 64)) / cores, a processor of 6 GHz with 4 vector multiply-adds a cycle.
// Noisy: the interval spans more than a factor of 2 and its upper end may be the best, or the
// reference alone was short of cores and took over twice its time. Short of cores: less than 0.75
// of the threads' time was spent running. Of several processes those within 1.25 of the least
// reference median count; their samples are pooled, at most 304, with the interval of the median by
// order statistics (sign test). Cost: O(samples log samples).
#include "backends/runner/timing_rules.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "env/base/check.h"
#include "env/base/text.h"
#include "env/measure/timing/paired_statistics.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

constexpr double kBusyShare = 0.75;
// Ratios with wider intervals decide nothing.
constexpr double kNoisyFactor = 2;
// If the interval of the reference's ratio to itself is wider, the machine was disturbed.
constexpr double kUneasyFactor = 1.1;
// No core does more than this: 6 GHz, four vector units, as ARM's largest have (x86 has two that
// multiply), a multiplication and an addition each, and 5 % for clocks that differ.
constexpr double kFlopsPerLane = 6e9 * 4 * 2 * 1.05;
// Two vectors of 64 bytes a cycle.
constexpr double kBytesPerSecond = 6e9 * 2 * 64;

double OutputBytes(const ComputeDag& dag) {
  double bytes = 0;
  for (int output : dag.outputs()) {
    const Tensor& tensor = dag.tensor(output);
    bytes += static_cast<double>(tensor.NumElements() * SizeInBytes(tensor.type));
  }
  return bytes;
}

// Of NVIDIA's multiprocessors: 128 lanes that multiply and add (CUDA C++ Programming Guide 13.0,
// "Arithmetic Instructions"), 3.2 GHz, more than any card is sold with, and 5 % for clocks that
// differ.
constexpr double kFlopsPerMultiprocessor = 128 * 2 * 3.2e9 * 1.05;

double LeastCudaSeconds(const Task& task) {
  if (task.target.backend != BackendKind::kCuda) return 0;
  return CountFlops(task.dag) / (kFlopsPerMultiprocessor * task.target.gpu.units);
}

// Those of three processes of 101 rounds, or of six of 50, whole.
constexpr size_t kMostSamples = 304;
// Largest slowdown of the reference against the fastest process. The placement of memory changes a
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

double MedianOf(std::span<const float> samples) { return Median({samples.begin(), samples.end()}); }

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

double LeastSeconds(const Task& task) {
  // The only bound for an OpenCL device is that a launch takes some time.
  constexpr double kLeastLaunch = 1e-7;
  if (task.target.IsGpu()) return std::max(kLeastLaunch, LeastCudaSeconds(task));
  int64_t narrowest = 8;
  for (const Tensor& tensor : task.dag.tensors()) {
    narrowest = std::min(narrowest, SizeInBytes(tensor.type));
  }
  const double flops_per_second = kFlopsPerLane * task.target.VectorLanes(narrowest);
  const double of_one_core =
      std::max(CountFlops(task.dag) / flops_per_second, OutputBytes(task.dag) / kBytesPerSecond);
  return of_one_core / task.target.cores;
}

bool IsShortOfThreads(bool is_parallel, int cores, double cpu_per_wall) {
  return is_parallel && cores > 1 && cpu_per_wall < kBusyShare * cores;
}

bool IsNoisy(const Timing& timing, std::optional<double> best_ratio) {
  const bool may_be_best = timing.ratio.high >= best_ratio.value_or(0);
  return may_be_best && timing.ratio.high > kNoisyFactor * timing.ratio.low;
}

bool IsReferenceDisturbed(const Timing& timing, double reference_seconds,
                          bool reference_short_of_threads) {
  if (!reference_short_of_threads || timing.short_of_threads) return false;
  if (timing.reference_samples.empty() || !(reference_seconds > 0)) return false;
  return MedianOf(timing.reference_samples) > kNoisyFactor * reference_seconds;
}

std::optional<Failure> CheckTiming(const Timing& timing, double least_seconds,
                                   std::optional<double> best_ratio) {
  if (!(timing.seconds > 0) || timing.seconds < least_seconds) {
    const std::string took = "one call took " + std::to_string(timing.seconds * 1e9) +
                             " ns, less than this machine can take";
    const double sample = timing.samples.empty() ? 0 : MedianOf(timing.samples);
    if (!(sample > 0) || sample < least_seconds) return Failure{Outcome::kImpossibleTime, took};
    return Failure{Outcome::kNoisy, took + ", by its ratio alone: a sample took " +
                                        std::to_string(sample * 1e9) + " ns"};
  }
  if (IsNoisy(timing, best_ratio)) {
    return Failure{Outcome::kNoisy, "the ratio lies between " + FormatDouble(timing.ratio.low) +
                                        " and " + FormatDouble(timing.ratio.high) +
                                        ", twice in a row"};
  }
  return std::nullopt;
}

bool IsUneasy(const RatioInterval& ratio, bool short_of_threads) {
  return short_of_threads || ratio.high > kUneasyFactor * ratio.low;
}

double BelievedReference(double session_seconds, std::span<const float> reference_samples) {
  if (reference_samples.empty()) return session_seconds;
  const double seen = MedianOf(reference_samples);
  return seen * kMostSlowdown < session_seconds ? seen : session_seconds;
}

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
  // Each timing's seconds are the session's seconds of the reference over its ratio.
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
