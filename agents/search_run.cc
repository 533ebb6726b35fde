#include "agents/search_run.h"

#include <algorithm>
#include <utility>

#include "agents/finalist_seconds.h"
#include "agents/known_best.h"
#include "agents/known_records.h"
#include "env/base/check.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// An agent that proposes what succeeded before wants another measurement of it.
std::vector<Candidate> CandidatesOf(const TaskRun& run, std::span<const ScheduleState> states) {
  std::vector<Candidate> candidates;
  for (const ScheduleState& state : states) {
    candidates.push_back({.state = state, .anew = run.HasSuccess(StateKey(state))});
  }
  return candidates;
}

// 0 of what is no success of any of these.
double SpeedOf(const Candidate& candidate, const std::vector<TaskRun>& runs) {
  for (const TaskRun& run : runs) {
    if (run.task.task != candidate.state.shared_task()) continue;
    const Record* record = run.FindSuccess(StateKey(candidate.state));
    return record ? record->measurement.timing->ratio.median : 0;
  }
  return 0;
}

}  // namespace

SearchRun::SearchRun(const std::vector<TunerTask>& tasks, const TunerOptions& options,
                     const TunerParts& parts)
    : options_(options),
      parts_(parts),
      time_(parts.clock, options.seconds),
      trials_limit_(options.trials) {
  for (const TunerTask& task : tasks) runs_.emplace_back(task);
}

void SearchRun::Start() {
  for (size_t i = 0; i < runs_.size(); ++i) StartTask(static_cast<int>(i));
}

void SearchRun::Limit(int64_t trials, std::optional<double> seconds) {
  trials_limit_ = trials;
  time_.Limit(seconds);
}

std::optional<StopReason> SearchRun::ReasonToStop() const {
  if (IsInterrupted()) return StopReason::kInterrupted;
  if (trials_ >= trials_limit_) return StopReason::kTrials;
  if (time_.IsOver()) return StopReason::kSeconds;
  return std::nullopt;
}

void SearchRun::StartTask(int index) {
  TaskRun& run = runs_[index];
  run.done.verified = parts_.store.IsVerified(run.done.task->key, options_.toolchain);
  if (run.done.verified) parts_.measurer.NoteVerified(run.done.task->key);
  StartEvent event = {run.done.task, options_.agent, options_.seed, options_.host, 0, {},
                      run.flops};
  if (options_.resume) {
    RenewBest(options_, parts_, run);
    const std::vector<Record> known = Known(run);
    event.known = run.done.known = static_cast<int64_t>(known.size());
    if (!known.empty()) {
      run.task.agent.Learn(known);
      parts_.scheduler.Resume(index, known);
    }
    event.known_best = run.done.known_best = KnownBest(options_, parts_, run);
  }
  parts_.observer.OnStart(event);
}

std::vector<Record> SearchRun::Known(const TaskRun& run) const {
  return KnownRecords(parts_.store, run.done.task->key, options_.toolchain);
}

bool SearchRun::TakeTurn() {
  const std::optional<int> next = parts_.scheduler.Next();
  if (!next) return false;
  if (BeginTurn(*next)) RunBatch(*next);
  return true;
}

bool SearchRun::BeginTurn(int index) {
  if (!time_.BeginTurn(runs_[index].trial_seconds)) return false;
  parts_.observer.OnTurn({index});
  return true;
}

void SearchRun::RunBatch(int index) {
  TaskRun& run = runs_[index];
  const auto records = RunRound(run, trials_limit_ - trials_);
  if (!records) {
    run.done.stopped = StopReason::kExhausted;
    parts_.scheduler.Finish(index);
    return;
  }
  std::vector<Measurement> measurements;
  for (const Record& record : *records) measurements.push_back(record.measurement);
  parts_.scheduler.Report(index, measurements);
  Reconsider();
}

std::optional<std::vector<Record>> SearchRun::RunRound(TaskRun& run, int64_t most) {
  const int count = static_cast<int>(std::min<int64_t>(options_.batch, most));
  const double begin = parts_.clock.Now();
  const std::vector<ScheduleState> states = run.asked->Propose(run.task.task, count);
  time_.propose.Note(parts_.clock.Now() - begin);
  run.done.time.propose += parts_.clock.Now() - begin;
  SG_CHECK(static_cast<int>(states.size()) <= count, "an agent proposes at most what is asked");
  if (states.empty()) return std::nullopt;
  std::vector<Record> records = MeasureAll(run, states);
  Tell(run, records);
  return records;
}

void SearchRun::Reconsider() {
  Afterthoughts afterthoughts = parts_.measurer.TakeAfterthoughts();
  if (!afterthoughts.sentinels.empty()) parts_.store.Write({.sentinels = afterthoughts.sentinels});
  NoteVerified(std::move(afterthoughts.verified));
  for (const TaskRemark& remark : afterthoughts.remarks) {
    for (const TaskRun& run : runs_) {
      if (run.done.task->key == remark.task) {
        parts_.observer.OnRemark({run.done.task, remark.text});
      }
    }
  }
  std::vector<Candidate> suspects = afterthoughts.suspects;
  std::stable_sort(suspects.begin(), suspects.end(),
                   [this](const Candidate& a, const Candidate& b) {
                     return SpeedOf(a, runs_) > SpeedOf(b, runs_);
                   });
  for (const Candidate& suspect : suspects) ReconsiderOne(suspect);
}

void SearchRun::ReconsiderOne(const Candidate& suspect) {
  for (size_t i = 0; i < runs_.size(); ++i) {
    TaskRun& run = runs_[i];
    if (run.task.task != suspect.state.shared_task()) continue;
    if (IsInterrupted() || !time_.HasLeft(run.trial_seconds.Longest())) {
      run.Forget(StateKey(suspect.state));
    } else {
      MeasureAgain(run, suspect);
    }
    parts_.scheduler.Revise(static_cast<int>(i), run.done.best);
  }
}

void SearchRun::NoteVerified(std::vector<VerifiedReference> verified) {
  if (verified.empty()) return;
  for (VerifiedReference& one : verified) {
    one.when = parts_.calendar.Now();
    for (TaskRun& run : runs_) run.done.verified |= run.done.task->key == one.task;
  }
  parts_.store.Write({.verified = verified});
}

bool SearchRun::AllVerified() const {
  return std::all_of(runs_.begin(), runs_.end(),
                     [](const TaskRun& run) { return run.done.verified; });
}

// It stays what its agent found, and keeps its number.
void SearchRun::MeasureAgain(TaskRun& run, const Candidate& suspect) {
  const double started = parts_.calendar.Now();
  const std::vector<Measurement> measurements = parts_.measurer.Measure({&suspect, 1});
  Record record = MakeRecord(run, suspect.state, measurements.at(0), started);
  if (const Record* first = run.FindSuccess(record.state_key)) {
    record.agent = first->agent;
    record.index = first->index;
    record.id = RecordId(record);
  }
  StoreRecords(parts_, {record}, run);
  if (MayLearnFrom(record.measurement.outcome)) run.asked->Learn({&record, 1});
  run.Replace(record);
}

// Until a reason to stop turns up.
std::vector<Record> SearchRun::MeasureAll(TaskRun& run, const std::vector<ScheduleState>& states) {
  std::vector<Record> records;
  const size_t width = std::max(parts_.measurer.Width(), 1);
  parts_.measurer.Expect(CandidatesOf(run, states));
  while (records.size() < states.size() && !ReasonToStop()) {
    const size_t most = std::min(width, states.size() - records.size());
    const int64_t count = time_.BeginTrials(run.trial_seconds, static_cast<int64_t>(most));
    const std::span<const ScheduleState> some(states.begin() + records.size(),
                                              static_cast<size_t>(count));
    if (some.empty()) break;
    for (Record& record : MeasureSome(run, some)) records.push_back(std::move(record));
  }
  return records;
}

std::vector<Record> SearchRun::MeasureSome(TaskRun& run, std::span<const ScheduleState> states) {
  const std::vector<Candidate> candidates = CandidatesOf(run, states);
  const double started = parts_.calendar.Now();
  const double begin = parts_.clock.Now();
  std::vector<Measurement> measurements = parts_.measurer.Measure(candidates);
  SG_CHECK(measurements.size() == candidates.size(), "a measurement for each candidate");
  NoteSeconds(measurements, parts_.clock.Now() - begin, run);
  std::vector<Record> records;
  for (size_t i = 0; i < states.size(); ++i) {
    records.push_back(MakeRecord(run, states[i], std::move(measurements[i]), started));
    run.done.trials += 1;
  }
  StoreRecords(parts_, records, run);
  for (const Record& record : records) Count(run, record);
  ReserveForFinalists();
  return records;
}

// The first measurement of a task waits until it is prepared, which the others do not.
void SearchRun::NoteSeconds(std::span<const Measurement> measurements, double seconds,
                            TaskRun& run) {
  if (run.trial_seconds.is_empty()) {
    time_.first_trials.Note(seconds);
    seconds = 0;
    for (const Measurement& measurement : measurements) {
      const PhaseSeconds& phases = measurement.phases;
      seconds += phases.compile + phases.verify + phases.measure;
    }
  }
  run.trial_seconds.Note(seconds / static_cast<double>(measurements.size()));
}

void SearchRun::ReserveForFinalists() {
  if (!options_.seconds || options_.finalists == 0) return;
  std::vector<double> each;
  for (const TaskRun& run : runs_) {
    if (!run.done.best) continue;
    each.push_back(FinalistSeconds(options_.protocol, run.done.best->measurement,
                                   run.trial_seconds.Longest()));
  }
  time_.Reserve(FinalistReserve(each, options_.finalists, *options_.seconds));
}

Record SearchRun::MakeRecord(const TaskRun& run, const ScheduleState& state,
                             Measurement measurement, double started) const {
  Record record;
  record.task = run.done.task;
  record.trace = state.TraceText();
  record.state_key = StateKey(state);
  record.agent = run.is_refining() ? options_.refiner : options_.agent;
  record.space = options_.space;
  record.seed = options_.seed;
  record.index = run.done.trials;
  record.host = options_.host;
  record.started = started;
  record.measurement = std::move(measurement);
  record.id = RecordId(record);
  return record;
}

void SearchRun::Count(TaskRun& run, const Record& record) {
  run.Count(record);
  ++trials_;
  parts_.observer.OnTrial(
      {record, run.GflopsOf(record.measurement), run.done.best, Elapsed(), trials_});
}

void SearchRun::Tell(TaskRun& run, const std::vector<Record>& records) {
  const double begin = parts_.clock.Now();
  std::vector<Record> lessons;
  for (const Record& record : records) {
    if (MayLearnFrom(record.measurement.outcome)) lessons.push_back(record);
  }
  run.asked->Learn(lessons);
  time_.tell.Note(parts_.clock.Now() - begin);
  run.done.time.propose += parts_.clock.Now() - begin;
}

}  // namespace schedulegym
