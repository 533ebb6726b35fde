#include "agents/search_answer.h"

#include "env/measure/verdict.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {

void PreferReference(const TunerOptions& options, TaskRun& run) {
  std::optional<Record>& best = run.done.best;
  if (options.reference == nullptr || !run.reference_seconds) return;
  if (best && !LosesToReference(best->measurement.timing->ratio)) return;
  const ScheduleState state = options.reference(run.task.task);
  Record reference;
  reference.task = run.done.task;
  reference.trace = state.TraceText();
  reference.state_key = StateKey(state);
  reference.agent = BestSourceName(BestSource::kReference);
  reference.seed = options.seed;
  reference.host = options.host;
  reference.measurement.outcome = Outcome::kOk;
  reference.measurement.timing = Timing{.seconds = *run.reference_seconds};
  if (best) reference.measurement.session = best->measurement.session;
  reference.id = RecordId(reference);
  if (const Record* same = run.FindSuccess(reference.state_key)) {
    run.done.reference_record = same->id;
  }
  run.done.best_gflops = run.GflopsOf(reference.measurement);
  best = std::move(reference);
  run.done.source = BestSource::kReference;
}

}  // namespace schedulegym
