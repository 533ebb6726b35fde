// A store's results for a task: records of this toolchain, the newest of each candidate, without
// suspect ones; renewing a best of another toolchain; confirming the best as a finalist, once for
// each new best, while time and `finalists` allow. FinalistSeconds predicts the time from the last
// timing: processes * (verify + overhead + samples). The reserve is all finalists, at most 0.1 of
// the seconds or one finalist; 0 if one takes more than 0.2 (choices of this project). Cost: one
// measurement a confirmation.
#include "agents/tuner/known_best.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace schedulegym {
namespace {

bool IsComparable(const TunerOptions& options, const Record& record) {
  return options.toolchain.empty() || ToolchainOf(record) == options.toolchain;
}

// Returns the first of equals; nullopt without a success.
std::optional<Record> BestOf(const std::vector<Record>& records) {
  std::optional<Record> best;
  for (const Record& record : records) {
    if (!record.measurement.ok()) continue;
    if (!best || IsBetter(record.measurement, best->measurement)) best = record;
  }
  return best;
}

// Returns nullopt if there is no result, such as for an imported trace that is not a schedule here
// or for a cancelled measurement.
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
  const double begin = parts.clock.Now();
  record.measurement = parts.measurer.Measure({&candidate, 1}).at(0);
  run.NoteWait({&record.measurement, 1}, parts.clock.Now() - begin);
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

void KeepBestKnown(const TunerOptions& options, const TunerParts& parts, TaskRun& run) {
  DoneEvent& done = run.done;
  // The store's best is unchanged since the start, if it was read then.
  const bool may_differ = options.is_measured || !options.request.resume;
  done.best_known = may_differ ? KnownBest(options, parts, run) : done.known_best;
  const bool is_found = done.best && (!done.best_known || IsBetter(done.best->measurement,
                                                                   done.best_known->measurement));
  if (is_found) done.best_known = done.best;
  done.best_known_gflops.reset();
  if (done.best_known) done.best_known_gflops = run.GflopsOf(done.best_known->measurement);
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

void TellRevised(const TunerParts& parts, RevisedEvent event) {
  const bool is_worse = !event.best || IsBetter(event.before.measurement, event.best->measurement);
  if (is_worse) parts.observer.OnRevised(event);
}

void StoreRecords(const TunerParts& parts, std::span<const Record> records, TaskRun& run) {
  const double begin = parts.clock.Now();
  parts.store.Append(records);
  run.done.time.store += parts.clock.Now() - begin;
}

double FinalistSeconds(const Protocol& protocol, const Measurement& measurement,
                       double trial_seconds) {
  const Timing& timing = *measurement.timing;
  const double reference = timing.seconds * timing.ratio.median;
  const double round = timing.seconds * static_cast<double>(timing.calls_per_sample) +
                       reference * static_cast<double>(timing.reference_calls_per_sample);
  const double beside =
      measurement.phases.measure - static_cast<double>(timing.samples.size()) * round;
  const double samples = std::min(
      protocol.final_rounds * round,
      std::max(protocol.final_seconds, static_cast<double>(protocol.final_long_rounds) * round));
  const double process = measurement.phases.verify + std::max(beside, 0.0) + samples;
  return protocol.final_processes * std::max(process, trial_seconds);
}

double FinalistReserve(std::span<const double> each, int most, double seconds) {
  constexpr double kShare = 0.1, kShareOfOne = 0.2;  // choices
  if (each.empty() || most == 0) return 0;
  const double least = *std::min_element(each.begin(), each.end());
  if (least > kShareOfOne * seconds) return 0;
  const double all = most * std::accumulate(each.begin(), each.end(), 0.0);
  return std::min(all, std::max(kShare * seconds, least));
}

std::vector<Record> KnownRecords(const RecordStore& store, const Key& task,
                                 std::string_view toolchain) {
  std::vector<Record> all = store.ForTask(task);
  std::vector<Record> known;
  std::set<Key> candidates;
  for (size_t i = all.size(); i-- > 0;) {
    if (all[i].suspect || !MayLearnFrom(all[i].measurement.outcome)) continue;
    if (!toolchain.empty() && ToolchainOf(all[i]) != toolchain) continue;
    if (candidates.insert(CandidateKey(all[i])).second) known.push_back(std::move(all[i]));
  }
  std::reverse(known.begin(), known.end());
  return known;
}

std::vector<Trial> TrialsOf(std::vector<Record> records, int number,
                            const std::shared_ptr<const Task>& task) {
  std::vector<Trial> trials;
  for (Record& record : records) {
    Result<ScheduleState> state = ReplayText(task, record.trace);
    if (!state) continue;
    const Key key = record.state_key;
    trials.push_back({number, *std::move(state), key, TrialStatus::kKnown,
                      std::make_shared<const Record>(std::move(record))});
  }
  return trials;
}

}  // namespace schedulegym
