// A measurement with its gates: verify each set of inputs, time interleaved with the reference
// (again once if noisy), verify on the inputs that were timed, then once more bit by bit. The
// samples that the candidate's process reports are believed if, summed up, they are within 0.98 to
// 1.02 of those watched from outside; otherwise the difference must be explained by noise, or the
// candidate fails.
#include "backends/runner/worker/checked_measurement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "backends/runner/timing_rules.h"
#include "env/base/text.h"
#include "env/measure/timing/paired_statistics.h"

namespace schedulegym {
namespace {

// A report below this share of the time seen from outside, or above its inverse, is rejected.
constexpr double kLeastReported = 0.98;
constexpr double kMostReported = 1.02;

// A driver compiles at load, which workers have done already for processors.
constexpr double kDeviceReadyFactor = 4;

Error Corrupt(const std::string& message) { return {ErrorKind::kRun, message}; }

class Phase {
 public:
  Phase(const Clock& clock, double& total) : clock_(clock), total_(total), begin_(clock.Now()) {}
  ~Phase() { total_ += clock_.Now() - begin_; }
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

 private:
  const Clock& clock_;
  double& total_;
  double begin_;
};

// While it exists, no other process computes.
class Alone {
 public:
  Alone(const MeasurementMeans& means, bool is_parallel) {
    if (is_parallel) watch_ = means.alone;
    if (watch_) watch_(true);
  }
  ~Alone() {
    if (watch_) watch_(false);
  }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  TimingWatch watch_;
};

bool IsSeries(const SeriesOfPage& series) {
  if (series.rounds < 1 || series.rounds > kMostSamplesOfPage || series.calls_per_sample < 1 ||
      series.calls_per_sample > kMostCallsOfPage) {
    return false;
  }
  const auto is_time = [](double value) { return std::isfinite(value) && value > 0; };
  return std::all_of(series.samples, series.samples + series.rounds, is_time) &&
         is_time(series.first_call_seconds) && std::isfinite(series.cpu_per_wall) &&
         std::isfinite(series.instructions) && std::isfinite(series.cycles);
}

std::span<const float> SamplesOf(const SeriesOfPage& series) {
  return {series.samples, static_cast<size_t>(series.rounds)};
}

// One series as it reports itself and as it was seen.
struct WatchedSeries {
  ReportedShare share;
  std::vector<float> seen;  // seconds for one call, one a round
  double best_share = 0;    // reported over seen, of the least disturbed sample
};

Result<WatchedSeries> Watch(const SeriesOfPage& series, std::span<const SeenStamp> stamps,
                            int which) {
  const std::optional<std::vector<double>> seen = SeenSamples(stamps, which);
  if (!seen || seen->size() != static_cast<size_t>(series.rounds)) {
    return Corrupt("reports " + std::to_string(series.rounds) + " samples, but " +
                   std::to_string(seen ? seen->size() : 0) + " were seen");
  }
  WatchedSeries watched;
  watched.share = ShareOf(SamplesOf(series), series.calls_per_sample, *seen);
  for (double seconds : *seen) {
    const double call = seconds / static_cast<double>(series.calls_per_sample);
    if (!(call > 0)) return Corrupt("stamps that do not follow each other");
    const double reported = series.samples[watched.seen.size()];
    watched.best_share = std::max(watched.best_share, reported / call);
    watched.seen.push_back(static_cast<float>(call));
  }
  return watched;
}

bool IsWithin(const ReportedShare& share, SampleClock clock) {
  const bool is_enough = clock == SampleClock::kDevice || share.most >= kLeastReported;
  return is_enough && share.least <= kMostReported;
}

// Whether a report is too short because the process was preempted between a stamp and its clock, as
// on a busy machine: at least one sample of each series is not affected, and the times seen from
// outside give the same ratio, as preemption affects both alike. A candidate that shortens one of
// them fails this.
bool IsExplainedByNoise(const RatioInterval& reported, const WatchedSeries& reference,
                        const WatchedSeries& candidate, IntervalRule rule) {
  if (reference.share.least > kMostReported || candidate.share.least > kMostReported) return false;
  if (reference.best_share < kLeastReported || candidate.best_share < kLeastReported) return false;
  const RatioInterval seen = MedianRatio(reference.seen, candidate.seen, rule);
  return reported.median >= seen.low * kLeastReported &&
         reported.median <= seen.high * kMostReported;
}

// Returns kRun when the reports differ from the times seen from outside.
Result<void> CheckReports(const ResultPage& page, const RatioInterval& reported,
                          std::span<const SeenStamp> stamps, IntervalRule rule, SampleClock clock) {
  const Result<WatchedSeries> reference = Watch(page.series[0], stamps, 0);
  if (!reference) return reference.error();
  const Result<WatchedSeries> candidate = Watch(page.series[1], stamps, 1);
  if (!candidate) return candidate.error();
  if (IsWithin(reference->share, clock) && IsWithin(candidate->share, clock)) return {};
  if (IsExplainedByNoise(reported, *reference, *candidate, rule)) return {};
  const ReportedShare& share =
      IsWithin(reference->share, clock) ? candidate->share : reference->share;
  return Corrupt("reports " + FormatDouble(share.least) + " of the time that was seen, expected " +
                 FormatDouble(kLeastReported) + " to " + FormatDouble(kMostReported));
}

class CheckedMeasurement {
 public:
  CheckedMeasurement(const ObjectCode& code, uint64_t id, const MeasurementMeans& means)
      : code_(code), means_(means), run_(means.zygote, code, id, means.task.names(), means.clock) {
    means_.task.TakeStderr();  // drops the messages of an earlier candidate
  }

  Measurement Run(const MeasureRequest& request, Rng& rng) {
    Measurement measurement;
    std::optional<Failure> failure = Steps(request, rng, measurement);
    return Finish(std::move(failure), std::move(measurement));
  }

  // Without timing.
  Measurement RunGates() {
    Measurement measurement;
    uint64_t hash = 0;
    std::optional<Failure> failure = AwaitReady(measurement);
    if (!failure) failure = PassGates(measurement, hash);
    if (!failure) {
      const Phase phase(means_.clock, measurement.phases.verify);
      failure = VerifyAgain(hash);
    }
    return Finish(std::move(failure), std::move(measurement));
  }

 private:
  Measurement Finish(std::optional<Failure> failure, Measurement measurement) {
    if (failure) {
      measurement.outcome = failure->outcome;
      measurement.message = std::move(failure->message);
      measurement.timing.reset();
    } else {
      measurement.outcome = Outcome::kOk;
    }
    measurement.stderr_tail = means_.task.TakeStderr();
    return measurement;
  }

  std::optional<Failure> Steps(const MeasureRequest& request, Rng& rng, Measurement& measurement) {
    uint64_t hash = 0;
    if (auto failure = AwaitReady(measurement)) return failure;
    const Alone alone(means_, code_.contract.is_parallel);
    if (auto failure = PassGates(measurement, hash)) return failure;
    if (auto failure = Time(request, rng, measurement)) return failure;
    const Phase phase(means_.clock, measurement.phases.verify);
    if (auto failure = VerifyTimed()) return failure;
    return VerifyAgain(hash);
  }

  std::optional<Failure> AwaitReady(Measurement& measurement) {
    const Phase phase(means_.clock, measurement.phases.compile);
    const double ready = means_.task.limits().ready_seconds;
    const bool on_device = means_.task.task().target.IsGpu();
    return run_.AwaitReady(on_device ? kDeviceReadyFactor * ready : ready);
  }

  // Verifies all sets; `hash` is that of the outputs of the last one, the reals.
  std::optional<Failure> PassGates(Measurement& measurement, uint64_t& hash) {
    const Phase phase(means_.clock, measurement.phases.verify);
    for (size_t set = 0; set < means_.task.sets(); ++set) {
      if (auto failure = Verify(set)) return failure;
    }
    hash = means_.task.HashOutputs(means_.task.sets() - 1);
    return std::nullopt;
  }

  // The same bits as before are as right as they were before.
  std::optional<Failure> VerifyAgain(uint64_t hash) {
    const size_t set = means_.task.sets() - 1;
    means_.task.ArmOutputs(set);
    if (auto failure = Call(set)) return failure;
    if (means_.task.HashOutputs(set) == hash) return means_.task.CheckBorders(set);
    if (auto wrong = means_.task.CheckOutputs(set)) return wrong;
    return Failure{Outcome::kNondeterministic, "two calls on the same inputs differ in some bits"};
  }

  std::optional<Failure> Verify(size_t set) {
    means_.task.ArmOutputs(set);
    if (auto failure = Call(set)) return failure;
    return means_.task.CheckOutputs(set);
  }

  // Verifies the timed inputs again, without another kernel's outputs in memory. This finds
  // candidates that compute nothing, and those that are right only elsewhere.
  std::optional<Failure> VerifyTimed() { return Verify(means_.task.timing_set()); }

  std::optional<Failure> Call(size_t set) {
    const CandidateLimits& limits = means_.task.limits();
    const double limit =
        std::max(limits.call_seconds, limits.call_factor * means_.reference.seconds);
    return run_.Call(static_cast<uint32_t>(set), limit);
  }

  // Times again, once, if it was disturbed.
  std::optional<Failure> Time(const MeasureRequest& request, Rng& rng, Measurement& measurement) {
    if (auto failure = TimeOnce(request, rng, measurement)) return failure;
    const Timing& first = *measurement.timing;
    if (first.short_of_threads || disturbed_ || IsNoisy(first, request.best_ratio)) {
      if (auto failure = TimeOnce(request, rng, measurement)) return failure;
    }
    if (disturbed_) return Failure{Outcome::kNoisy, kDisturbedText};
    std::optional<double> best = request.best_ratio;
    if (means_.accepts_noise) best = std::numeric_limits<double>::infinity();
    return CheckTiming(*measurement.timing, means_.reference.least_seconds, best);
  }

  std::optional<Failure> TimeOnce(const MeasureRequest& request, Rng& rng,
                                  Measurement& measurement) {
    CandidateCommand command;
    command.order = CandidateOrder::kTime;
    command.seed = rng.Next();
    command.finalist = request.finalist;
    command.has_best_ratio = request.best_ratio.has_value();
    command.best_ratio = request.best_ratio.value_or(0);
    command.control = means_.is_control;
    command.reference_calls = means_.reference.calls_per_sample;
    means_.task.ClearResult();
    // All may be written to while it is timed, the borders too.
    const size_t timing_set = means_.task.timing_set();
    means_.task.ArmOutputs(timing_set);
    const double limit = TimingLimit(request.finalist);
    if (means_.warms_ahead) {
      const Phase phase(means_.clock, measurement.phases.measure);
      if (auto failure = run_.WarmUp(command, limit)) return failure;
    }
    if (means_.watch) means_.watch(true);
    auto failure = TimeWatched(command, limit, measurement.phases.measure);
    if (means_.watch) means_.watch(false);
    if (failure) return failure;
    if (auto beside = means_.task.CheckBorders(timing_set)) return beside;
    const ResultPage page = means_.task.ReadResult();
    Result<Timing> timing =
        BelieveResult(page, run_.stamps(), means_.task.protocol().interval, UsedClock());
    if (!timing) return Failure{Outcome::kCorruptResult, timing.error().message};
    if (means_.reference.seconds > 0) {
      timing->seconds = BelievedReference(means_.reference.seconds, timing->reference_samples) /
                        timing->ratio.median;
    }
    timing->short_of_threads = IsShortOfThreads(
        code_.contract.is_parallel, means_.task.task().target.cores, timing->cpu_per_wall);
    disturbed_ = IsReferenceDisturbed(*timing, means_.reference.seconds, IsReferenceShort(page));
    measurement.timing = *std::move(timing);
    return std::nullopt;
  }

  bool IsReferenceShort(const ResultPage& page) const {
    return IsShortOfThreads(means_.task.setup().reference.contract.is_parallel,
                            means_.task.task().target.cores, page.series[0].cpu_per_wall);
  }

  std::optional<Failure> TimeWatched(const CandidateCommand& command, double limit,
                                     double& seconds) {
    const Phase phase(means_.clock, seconds);
    return run_.Time(command, limit);
  }

  double TimingLimit(bool finalist) const {
    const CandidateLimits& limits = means_.task.limits();
    const Protocol& protocol = means_.task.protocol();
    const double asked = finalist ? FinalProtocol(protocol).max_seconds : protocol.max_seconds;
    return limits.timing_seconds + asked + limits.timing_factor * means_.reference.seconds;
  }

  SampleClock UsedClock() const {
    const bool has_events = means_.task.task().target.backend == BackendKind::kCuda;
    return has_events ? SampleClock::kDevice : SampleClock::kHost;
  }

  const ObjectCode& code_;
  const MeasurementMeans& means_;
  CandidateRun run_;
  bool disturbed_ = false;  // of the reference, when it was timed last
};

}  // namespace

Measurement MeasureChecked(const MeasureRequest& request, uint64_t id,
                           const MeasurementMeans& means, Rng& rng) {
  return CheckedMeasurement(request.code, id, means).Run(request, rng);
}

Measurement VerifyChecked(const ObjectCode& code, uint64_t id, const MeasurementMeans& means) {
  return CheckedMeasurement(code, id, means).RunGates();
}

Result<Timing> BelieveResult(const ResultPage& page, std::span<const SeenStamp> stamps,
                             IntervalRule rule, SampleClock clock) {
  const SeriesOfPage& reference = page.series[0];
  const SeriesOfPage& candidate = page.series[1];
  if (!IsSeries(reference) || !IsSeries(candidate) || reference.rounds != candidate.rounds) {
    return Corrupt("the page of results holds no timing");
  }
  Timing timing;
  const std::span<const float> samples = SamplesOf(candidate);
  const std::span<const float> reference_samples = SamplesOf(reference);
  timing.ratio = MedianRatio(reference_samples, samples, rule);
  if (auto checked = CheckReports(page, timing.ratio, stamps, rule, clock); !checked)
    return checked.error();
  timing.seconds = Median({samples.begin(), samples.end()});
  timing.first_call_seconds = candidate.first_call_seconds;
  timing.calls_per_sample = candidate.calls_per_sample;
  timing.reference_calls_per_sample = reference.calls_per_sample;
  timing.samples.assign(samples.begin(), samples.end());
  timing.reference_samples.assign(reference_samples.begin(), reference_samples.end());
  timing.cpu_per_wall = candidate.cpu_per_wall;
  timing.early_reject = page.early_reject != 0;
  if (candidate.has_counters != 0) timing.counters = {candidate.instructions, candidate.cycles};
  return timing;
}

}  // namespace schedulegym
