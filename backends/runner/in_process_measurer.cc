// Measures candidates in this process, one after another: compile, verify, time interleaved with
// the reference (once more if something disturbed it), verify again with other inputs, check that
// the time is possible. First the reference is timed against itself, up to 3 times, until the
// interval is within a factor of 1.1. Seconds of a candidate are the reference's divided by the
// ratio of the pair, so that the machine's speed cancels. The bound that decides when a slow
// candidate is given up is the highest lower end of an interval so far.
#include "backends/runner/in_process_measurer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <new>
#include <string>
#include <utility>

#include "backends/runner/timing_rules.h"
#include "backends/runner/verification/prepared_kernel.h"
#include "backends/runner/verification/verifier.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/lower/lower.h"
#include "env/measure/timing/clocks.h"
#include "env/measure/timing/paired_timer.h"
#include "env/measure/verification/inputs.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

// Limit if other programs keep the machine busy.
constexpr int kReferenceAttempts = 3;

constexpr const char* kUncheckedText =
    "on this target no reference is checked in every cell: some cells are";

// Adds the seconds between its construction and destruction to `total`.
class PhaseTimer {
 public:
  PhaseTimer(const Clock& clock, double& total)
      : clock_(clock), total_(total), begin_(clock.Now()) {}
  ~PhaseTimer() { total_ += clock_.Now() - begin_; }
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  const Clock& clock_;
  double& total_;
  double begin_;
};

Outcome OutcomeOf(const Error& error) {
  switch (error.kind) {
    case ErrorKind::kInvalidSchedule:
    case ErrorKind::kIllegal:
    case ErrorKind::kParse: return Outcome::kInvalidSchedule;
    case ErrorKind::kRun: return Outcome::kWrongOutput;
    case ErrorKind::kCompile:
    case ErrorKind::kUnsupported: return Outcome::kCompileError;
  }
  return Outcome::kCompileError;
}

// Everything about a task that its candidates share.
struct PreparedTask {
  PreparedTask(std::shared_ptr<const Task> task, const ReferenceBackend& means, uint64_t seed)
      : verifier(std::move(task), means, seed) {}

  Verifier verifier;
  std::optional<PreparedKernel> reference;
  double reference_seconds = 0;
  bool is_disturbed = false;  // of the reference, when it was timed last
  std::optional<double> best_ratio;
  double least_seconds = 0;  // of a call
  int cores = 1;
};

// A backend whose kernels' calls can be ended, if the inner backend supports that.
class EndingBackend : public Backend {
 public:
  EndingBackend(std::unique_ptr<Backend> backend, std::function<bool()> end)
      : backend_(std::move(backend)), end_(std::move(end)) {}

  const Target& target() const override { return backend_->target(); }
  Result<std::unique_ptr<Kernel>> Compile(const LoopProgram& program,
                                          const CompileOptions& options) const override {
    CompileOptions ending = options;
    ending.end = end_;
    return backend_->Compile(program, ending);
  }
  Result<std::string> Translate(const LoopProgram& program, CodeForm form,
                                const CompileOptions& options) const override {
    return backend_->Translate(program, form, options);
  }
  Result<std::unique_ptr<Kernel>> Load(const std::string& object, int packs) const override {
    return backend_->Load(object, packs);
  }

 private:
  std::unique_ptr<Backend> backend_;
  std::function<bool()> end_;
};

// Thrown out of any phase when a candidate's time is over.
class CutOff : public std::exception {
 public:
  const char* what() const noexcept override { return "the time for measuring it was over"; }
};

class InProcessMeasurer : public Measurer {
 public:
  explicit InProcessMeasurer(InProcessOptions options)
      : options_(std::move(options)), rng_(options_.seed) {
    SG_CHECK(options_.reference && options_.make_backend, "a measurer needs its means");
  }

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    std::vector<Measurement> measurements;
    for (const Candidate& candidate : candidates) measurements.push_back(MeasureOne(candidate));
    return measurements;
  }

  DeferredResults TakeDeferredResults() override { return std::exchange(deferred_results_, {}); }

 private:
  const Clock& wall() const { return options_.wall_clock ? *options_.wall_clock : steady_; }
  const Clock& cpu() const { return options_.cpu_clock ? *options_.cpu_clock : process_; }

  // Errors after the end of the candidate's time are ignored.
  Measurement MeasureOne(const Candidate& candidate) {
    end_ = candidate.end;
    Measurement measurement;
    try {
      measurement = MeasureToItsEnd(candidate);
    } catch (const std::exception&) {
      if (!IsOver()) throw;
    }
    if (!measurement.ok() && IsOver()) {
      Fail(measurement, {Outcome::kCutOff, CutOff().what()});
    }
    end_ = nullptr;
    return measurement;
  }

  bool IsOver() const { return end_ && end_(); }

  Measurement MeasureToItsEnd(const Candidate& candidate) {
    SG_CHECK(candidate.state, "a host measures schedules");
    Measurement measurement;
    measurement.seed = options_.seed;
    PreparedTask& task = TaskOf(candidate.state->shared_task(), measurement.phases);
    try {
      Run(candidate, task, measurement);
    } catch (const std::bad_alloc&) {
      Fail(measurement, {Outcome::kOutOfMemory, "no memory for the candidate's buffers"});
    }
    return measurement;
  }

  static void Fail(Measurement& measurement, Failure failure) {
    measurement.outcome = failure.outcome;
    measurement.message = std::move(failure.message);
    measurement.timing.reset();
  }

  void Run(const Candidate& candidate, PreparedTask& task, Measurement& measurement) {
    Result<PreparedKernel> kernel = Compile(*candidate.state, task, measurement.phases.compile);
    if (!kernel) {
      return Fail(measurement, {OutcomeOf(kernel.error()), kernel.error().message});
    }
    if (auto failure = Check(&Verifier::Before, *kernel, task, measurement)) {
      return Fail(measurement, std::move(*failure));
    }
    measurement.timing = Time(*kernel, candidate.finalist, task, measurement.phases.measure);
    if (auto failure = Check(&Verifier::After, *kernel, task, measurement)) {
      return Fail(measurement, std::move(*failure));
    }
    if (task.is_disturbed) return Fail(measurement, {Outcome::kNoisy, kDisturbedText});
    auto failure = CheckTiming(*measurement.timing, task.least_seconds, task.best_ratio);
    if (failure) return Fail(measurement, std::move(*failure));
    measurement.outcome = Outcome::kOk;
    // The lower end, so that one lucky measurement does not reject equally fast candidates.
    task.best_ratio = std::max(task.best_ratio.value_or(0), measurement.timing->ratio.low);
  }

  Result<PreparedKernel> Compile(const ScheduleState& state, PreparedTask& task, double& seconds) {
    const PhaseTimer timer(wall(), seconds);
    const Result<LoopProgram> program = Lower(state);
    if (!program) return program.error();
    return PreparedKernel::Make(BackendOf(state.task().target), *program,
                                task.verifier.arguments());
  }

  std::optional<Failure> Check(std::optional<Failure> (Verifier::*check)(PreparedKernel&),
                               PreparedKernel& kernel, PreparedTask& task,
                               Measurement& measurement) {
    const PhaseTimer timer(wall(), measurement.phases.verify);
    return (task.verifier.*check)(kernel);
  }

  // Times again, once, if it was disturbed.
  Timing Time(const PreparedKernel& kernel, bool finalist, PreparedTask& task, double& seconds) {
    const PhaseTimer timer(wall(), seconds);
    Timing timing = TimeOnce(kernel, finalist, task);
    if (timing.short_of_threads || task.is_disturbed || IsNoisy(timing, task.best_ratio))
      timing = TimeOnce(kernel, finalist, task);
    return timing;
  }

  Timing TimeOnce(const PreparedKernel& kernel, bool finalist, PreparedTask& task) {
    const std::array<std::function<void()>, 2> calls = {CallOf(*task.reference), CallOf(kernel)};
    const Protocol protocol = finalist ? FinalProtocol(options_.protocol) : options_.protocol;
    PairedTiming paired = TimeInterleaved(calls, protocol, task.best_ratio, {wall(), cpu()}, rng_);
    TimedSeries& series = paired.series[1];
    Timing timing;
    timing.ratio = series.ratio;
    timing.first_call_seconds = series.first_call_seconds;
    timing.calls_per_sample = series.calls_per_sample;
    timing.reference_calls_per_sample = paired.series[0].calls_per_sample;
    timing.samples = std::move(series.samples);
    timing.reference_samples = std::move(paired.series[0].samples);
    task.reference_seconds = BelievedReference(task.reference_seconds, timing.reference_samples);
    timing.seconds = task.reference_seconds / series.ratio.median;
    timing.cpu_per_wall = series.cpu_per_wall;
    timing.early_reject = paired.early_reject;
    timing.short_of_threads =
        IsShortOfThreads(kernel.is_parallel(), task.cores, series.cpu_per_wall);
    const bool is_reference_short =
        IsShortOfThreads(task.reference->is_parallel(), task.cores, paired.series[0].cpu_per_wall);
    task.is_disturbed = IsReferenceDisturbed(timing, task.reference_seconds, is_reference_short);
    return timing;
  }

  // The kernel has run before on the same arguments: an error now would be a bug, or its end.
  std::function<void()> CallOf(const PreparedKernel& kernel) const {
    return [this, &kernel] {
      if (IsOver()) throw CutOff();
      const Result<void> ran = kernel.Call();
      if (!ran && IsOver()) throw CutOff();
      SG_CHECK(ran.ok(), ran.error().message);
    };
  }

  const Backend& BackendOf(const Target& target) {
    std::unique_ptr<Backend>& backend = backends_[target.ToText()];
    if (!backend) {
      backend = std::make_unique<EndingBackend>(options_.make_backend(target),
                                                [this] { return IsOver(); });
    }
    return *backend;
  }

  PreparedTask& TaskOf(const std::shared_ptr<const Task>& task, PhaseSeconds& phases) {
    std::unique_ptr<PreparedTask>& prepared = tasks_[TaskKey(*task)];
    if (!prepared) {
      prepared = Prepare(task, phases);
      deferred_results_.warnings.push_back({TaskKey(*task), kUncheckedText});
    }
    return *prepared;
  }

  std::unique_ptr<PreparedTask> Prepare(const std::shared_ptr<const Task>& task,
                                        PhaseSeconds& phases) {
    const ReferenceBackend means{BackendOf(task->target), options_.reference};
    std::unique_ptr<PreparedTask> prepared;
    {
      const PhaseTimer timer(wall(), phases.verify);
      prepared = std::make_unique<PreparedTask>(task, means, InputSeed(TaskKey(*task)));
    }
    prepared->cores = task->target.cores;
    prepared->least_seconds = LeastSeconds(*task);
    PrepareReference(task, *prepared, phases);
    return prepared;
  }

  // Built by the same path as every candidate, for the comparison resolves one percent.
  void PrepareReference(const std::shared_ptr<const Task>& task, PreparedTask& prepared,
                        PhaseSeconds& phases) {
    Result<PreparedKernel> kernel = Compile(options_.reference(task), prepared, phases.compile);
    if (!kernel) {
      throw InputError("cannot measure " + task->name + ": " + kernel.error().message);
    }
    prepared.reference = std::move(*kernel);
    {
      const PhaseTimer timer(wall(), phases.verify);
      const auto failure = prepared.verifier.Before(*prepared.reference);
      SG_CHECK(!failure, "the reference schedule of " + task->name +
                             " is wrong: " + (failure ? failure->message : ""));
    }
    const PhaseTimer timer(wall(), phases.measure);
    prepared.reference_seconds = TimeReference(*prepared.reference, prepared.cores);
  }

  // Times the reference against itself. Best of several attempts where the machine is busy, as all
  // seconds of the session depend on it.
  double TimeReference(const PreparedKernel& reference, int cores) {
    const std::function<void()> call = CallOf(reference);
    const std::array<std::function<void()>, 2> twice = {call, call};
    double best = std::numeric_limits<double>::infinity();
    for (int attempt = 0; attempt < kReferenceAttempts; ++attempt) {
      const PairedTiming timing =
          TimeInterleaved(twice, options_.protocol, std::nullopt, {wall(), cpu()}, rng_);
      best = std::min(best, timing.series[0].median_seconds);
      const bool is_short =
          IsShortOfThreads(reference.is_parallel(), cores, timing.series[1].cpu_per_wall);
      if (!IsUneasy(timing.series[1].ratio, is_short)) break;
    }
    return best;
  }

  InProcessOptions options_;
  Rng rng_;
  std::function<bool()> end_;  // of the current candidate
  SteadyClock steady_;
  ProcessCpuClock process_;
  std::map<std::string, std::unique_ptr<Backend>> backends_;  // by target
  std::map<Key, std::unique_ptr<PreparedTask>> tasks_;
  DeferredResults deferred_results_;
};

}  // namespace

std::unique_ptr<Measurer> MakeInProcessMeasurer(InProcessOptions options) {
  return std::make_unique<InProcessMeasurer>(std::move(options));
}

}  // namespace schedulegym
