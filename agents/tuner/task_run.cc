// Results of one task's search: counts by outcome, phases' seconds, successes by state, the best.
// Replacing or removing a success recomputes the best from all. PreferReference returns the
// reference schedule as the result if the best loses to it (its interval of ratios), and times it
// if it has no timing.
// Cost: O(successes) after a correction, otherwise O(log successes).
#include "agents/tuner/task_run.h"

#include <algorithm>
#include <utility>

#include "env/measure/verdict.h"
#include "env/program/analysis.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

bool IsBeaten(const std::optional<Record>& best) {
  return !best || LosesToReference(best->measurement.timing->ratio);
}

void TimeReference(const TunerParts& parts, const std::function<bool()>& end,
                   const ScheduleState& reference, TaskRun& run) {
  if (end()) return;
  const Candidate candidate = {.state = reference, .end = end};
  const double begin = parts.clock.Now();
  const std::vector<Measurement> measurements = parts.measurer.Measure({&candidate, 1});
  run.NoteWait(measurements, parts.clock.Now() - begin);
  run.NoteTimes(measurements.at(0));
}

Measurement MeasurementOf(std::optional<double> seconds) {
  Measurement measurement;
  measurement.outcome = seconds ? Outcome::kOk : Outcome::kCutOff;
  if (seconds) measurement.timing = Timing{.seconds = *seconds};
  return measurement;
}

}  // namespace

TaskRun::TaskRun(TunerTask asked_for)
    : task(std::move(asked_for)), flops(CountFlops(task.task->dag)) {
  done.task = DescribeTask(*task.task);
}

void TaskRun::Count(const std::shared_ptr<const Record>& record) {
  const Measurement& measurement = record->measurement;
  NoteTimes(measurement);
  if (measurement.ok()) {
    ++done.ok;
    KeepIfBetter(*record);
    successes_.insert_or_assign(record->state_key, record);
  } else {
    ++done.failed[measurement.outcome];
    done.first_failed.try_emplace(measurement.outcome, *record);
  }
}

void TaskRun::NoteTimes(const Measurement& measurement) {
  if (measurement.ok()) {
    reference_seconds = measurement.timing->seconds * measurement.timing->ratio.median;
  }
  done.time.compile += measurement.phases.compile;
  done.time.verify += measurement.phases.verify;
  done.time.measure += measurement.phases.measure;
}

void TaskRun::NoteWait(std::span<const Measurement> measurements, double seconds) {
  for (const Measurement& measurement : measurements) {
    const PhaseSeconds& phases = measurement.phases;
    seconds -= phases.compile + phases.verify + phases.measure;
  }
  done.time.wait += std::max(seconds, 0.0);
}

void TaskRun::NoteWait(const MeasuringWait& wait) {
  done.time.wait_lock += wait.lock;
  done.time.wait_calm += wait.calm;
}

// Candidates may compile during the wait for the lock: the whole is at least its parts.
void TaskRun::DivideWait() {
  SearchSeconds& time = done.time;
  const double known = time.wait_lock + time.wait_calm;
  time.wait_workers = std::max(time.wait - known, 0.0);
  time.wait = known + time.wait_workers;
}

std::optional<Record> TaskRun::BestSoFar() const {
  if (!done.best || !done.known_best) return done.best ? done.best : done.known_best;
  const bool is_better = IsBetter(done.best->measurement, done.known_best->measurement);
  return is_better ? done.best : done.known_best;
}

void TaskRun::Replace(const Record& record) {
  Forget(record.state_key);
  if (!record.measurement.ok()) return;
  KeepIfBetter(record);
  successes_.emplace(record.state_key, std::make_shared<const Record>(record));
}

void TaskRun::Forget(const Key& state) {
  successes_.erase(state);
  done.best.reset();
  done.best_gflops.reset();
  for (const auto& [key, record] : successes_) KeepIfBetter(*record);
}

std::optional<double> TaskRun::GflopsOf(const Measurement& measurement) const {
  if (!measurement.ok()) return std::nullopt;
  return flops / measurement.timing->seconds * 1e-9;
}

std::vector<Record> TaskRun::Successes() const {
  std::vector<Record> all;
  for (const auto& [key, record] : successes_) all.push_back(*record);
  return all;
}

const Record* TaskRun::FindSuccess(const Key& state) const {
  const auto found = successes_.find(state);
  return found == successes_.end() ? nullptr : found->second.get();
}

double TaskRun::RefinablePart() const {
  const std::optional<Record>& best = done.best ? done.best : done.known_best;
  if (refined || !best) return 0;
  return task.weight * best->measurement.timing->seconds;
}

void TaskRun::KeepIfBetter(const Record& record) {
  if (!done.best || IsBetter(record.measurement, done.best->measurement)) {
    done.best_gflops = GflopsOf(record.measurement);
    done.best = record;
  }
}

void PreferReference(const TunerOptions& options, const TunerParts& parts, const SearchTime& time,
                     TaskRun& run) {
  std::optional<Record>& best = run.done.best;
  if (options.reference == nullptr || !IsBeaten(best)) return;
  if (!best && !IsBeaten(run.done.known_best)) return;
  const ScheduleState state = options.reference(run.task.task);
  if (!run.reference_seconds) TimeReference(parts, time.End(options.stop), state, run);
  if (!run.reference_seconds && run.done.known_best) return;
  Measurement measurement = MeasurementOf(run.reference_seconds);
  if (best) measurement.session = best->measurement.session;
  Record reference = MakeRecord({.task = run.done.task,
                                 .agent = BestSourceName(BestSource::kReference),
                                 .seed = options.request.seed,
                                 .host = options.host},
                                state, StateKey(state), std::move(measurement));
  if (const Record* same = run.FindSuccess(reference.state_key)) {
    run.done.reference_record = same->id;
  }
  run.done.best_gflops = run.GflopsOf(reference.measurement);
  best = std::move(reference);
  run.done.source = BestSource::kReference;
}

}  // namespace schedulegym
