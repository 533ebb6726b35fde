#include "agents/tuner/search_answer.h"

#include "env/measure/verdict.h"
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
  run.NoteTimes(parts.measurer.Measure({&candidate, 1}).at(0));
}

Measurement MeasurementOf(std::optional<double> seconds) {
  Measurement measurement;
  measurement.outcome = seconds ? Outcome::kOk : Outcome::kCutOff;
  if (seconds) measurement.timing = Timing{.seconds = *seconds};
  return measurement;
}

}  // namespace

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
