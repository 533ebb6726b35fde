#include "agents/tuner/known_best.h"

#include <algorithm>
#include <set>

#include "agents/tuner/finalist_seconds.h"
#include "agents/tuner/known_records.h"

namespace schedulegym {
namespace {

bool IsComparable(const TunerOptions& options, const Record& record) {
  return options.toolchain.empty() || ToolchainOf(record) == options.toolchain;
}

// The first of equals; none without a success.
std::optional<Record> BestOf(const std::vector<Record>& records) {
  std::optional<Record> best;
  for (const Record& record : records) {
    if (!record.measurement.ok()) continue;
    if (!best || IsBetter(record.measurement, best->measurement)) best = record;
  }
  return best;
}

// None where nothing was found out about the candidate, such as for an imported trace that is no
// schedule here, or one that was cut off.
std::optional<Record> MeasureAgain(const TunerOptions& options, const TunerParts& parts,
                                   const SearchTime& time, const Record& known, bool finalist,
                                   TaskRun& run) {
  const Result<ScheduleState> state = ReplayText(run.task.task, known.trace);
  if (!state) return std::nullopt;
  const Candidate candidate = {
      .state = *state, .finalist = finalist, .anew = true, .end = time.End(options.stop)};
  Record record = known;
  record.started = parts.calendar.Now();
  record.host = options.host;
  record.measurement = parts.measurer.Measure({&candidate, 1}).at(0);
  if (record.measurement.outcome == Outcome::kCutOff) return std::nullopt;
  record.id = RecordId(record);
  StoreRecords(parts, {&record, 1}, run);
  run.NoteTimes(record.measurement);
  if (!MayLearnFrom(record.measurement.outcome)) return std::nullopt;
  return record;
}

}  // namespace

std::optional<Record> KnownBest(const TunerOptions& options, const TunerParts& parts,
                                const TaskRun& run) {
  if (!options.is_measured) {
    return BestOf(KnownRecords(parts.store, run.done.task->key, options.toolchain));
  }
  std::optional<Record> best = parts.store.Best(run.done.task->key);
  return best && IsComparable(options, *best) ? best : std::nullopt;
}

void RenewBest(const TunerOptions& options, const TunerParts& parts, const SearchTime& time,
               TaskRun& run) {
  if (!options.is_measured) return;
  const std::optional<Record> best = parts.store.Best(run.done.task->key);
  if (best && !IsComparable(options, *best)) MeasureAgain(options, parts, time, *best, false, run);
}

void ConfirmBest(const TunerOptions& options, const TunerParts& parts, const SearchTime& time,
                 double end, TaskRun& run) {
  std::set<Key> seen;
  const auto may_go_on = [&] {
    const bool is_interrupted = options.stop != nullptr && *options.stop;
    return run.done.finalists < options.finalists && !is_interrupted && parts.clock.Now() < end;
  };
  while (may_go_on()) {
    const std::optional<Record> best = parts.store.Best(run.done.task->key);
    if (!best || !seen.insert(best->state_key).second) return;
    const double begin = parts.clock.Now();
    if (!time.HasLeft(std::max(
            FinalistSeconds(options.protocol, best->measurement, run.trial_seconds.Longest()),
            run.finalist_seconds.Longest()))) {
      return;
    }
    const std::optional<Record> record = MeasureAgain(options, parts, time, *best, true, run);
    run.finalist_seconds.Note(parts.clock.Now() - begin);
    if (!record) return;
    ++run.done.finalists;
    if (run.HasSuccess(record->state_key)) run.Replace(*record);
  }
}

void StoreRecords(const TunerParts& parts, std::span<const Record> records, TaskRun& run) {
  const double begin = parts.clock.Now();
  parts.store.Append(records);
  run.done.time.store += parts.clock.Now() - begin;
}

}  // namespace schedulegym
