// The turns of a search: the scheduler chooses a task, the agent proposes a batch, the measurer
// measures in groups of its width, records are stored, and agent, curves and observers get the
// results. Trials with outcomes unrelated to the schedule are marked as such; cancelled ones do not
// count. Seconds are reserved for finalists, and a batch shrinks to fit the time left. Stops by
// trials, seconds, interruption, or when the agent has nothing left.
#include "agents/tuner/search_run.h"

#include <algorithm>
#include <utility>

#include "agents/tuner/known_best.h"
#include "agents/tuner/search_time.h"
#include "env/base/check.h"

namespace schedulegym {

SearchRun::SearchRun(const std::vector<TunerTask>& tasks, const TunerAgents& agents,
                     const TunerOptions& options, const TunerParts& parts)
    : agents_(agents),
      options_(options),
      agent_(options.request.agent.ToText()),
      refiner_(options.request.refine ? options.request.refine->ToText() : ""),
      parts_(parts),
      time_(parts.clock, options.request.seconds),
      trials_limit_(options.request.trials) {
  for (const TunerTask& task : tasks) {
    runs_.emplace_back(task);
    scheduled_.push_back(task.scheduled);
  }
  curves_.resize(runs_.size());
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
  StartEvent event = {run.done.task, agent_, options_.request.seed, options_.host, 0, {},
                      run.flops};
  if (options_.request.resume) {
    RenewBest(options_, parts_, time_, run);
    const double asked = parts_.clock.Now();
    std::vector<Record> known = KnownRecords(parts_.store, run.done.task->key, options_.toolchain);
    run.done.time.store += parts_.clock.Now() - asked;
    if (!known.empty()) curves_[index].AddKnown(known, options_.batch);
    const std::vector<Trial> trials = TrialsOf(std::move(known), index, run.task.task);
    event.known = run.done.known = std::ssize(trials);
    run.gain.Hear(trials);
    const double begin = parts_.clock.Now();
    if (!trials.empty()) LetLearn(run, trials);
    run.done.time.propose += parts_.clock.Now() - begin;
    event.known_best = run.done.known_best = KnownBest(options_, parts_, run);
  }
  parts_.observer.OnStart(event);
}

// Starts refining with the store's best, or with this search's if it ignores the store.
void SearchRun::BeginRefining(int index) {
  TaskRun& run = runs_[index];
  run.refining = true;
  const Key& key = run.done.task->key;
  std::vector<Record> known = options_.request.resume
                                  ? KnownRecords(parts_.store, key, options_.toolchain)
                                  : run.Successes();
  LetLearn(run, TrialsOf(std::move(known), index, run.task.task));
}

std::optional<std::vector<Proposal>> SearchRun::Ask(int index, int count) {
  try {
    return AskedFor(runs_[index]).Propose(index, count);
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

void SearchRun::LetLearn(const TaskRun& run, std::span<const Trial> trials) {
  try {
    AskedFor(run).Learn(trials);
  } catch (const Interrupted&) {  // it is not used again
  }
}

bool SearchRun::TakeTurn() {
  const std::optional<int> next = Choose();
  if (!next) return IsInterrupted();
  if (BeginTurn(*next, parts_.scheduler.Why(*next))) RunBatch(*next);
  return true;
}

std::optional<int> SearchRun::Choose() {
  const double begin = parts_.clock.Now();
  std::optional<int> next;
  try {
    next = parts_.scheduler.Next(Stand());
  } catch (const Interrupted&) {
    return std::nullopt;
  }
  if (next) runs_[*next].done.time.schedule += parts_.clock.Now() - begin;
  return next;
}

SchedulerView SearchRun::Stand() const {
  return {scheduled_, curves_, Elapsed(), trials_limit_ - trials_, time_.Left()};
}

bool SearchRun::BeginTurn(int index, std::string why) {
  if (!time_.BeginTurn(runs_[index].trial_seconds)) return false;
  parts_.observer.OnTurn({index, std::move(why)});
  return true;
}

void SearchRun::RunBatch(int index) {
  TaskRun& run = runs_[index];
  const double begin = Elapsed(), thought = run.done.time.propose;
  const int most = parts_.scheduler.MostTrials().value_or(options_.batch);
  const auto records = RunRound(index, std::min<int64_t>(most, trials_limit_ - trials_));
  if (!records) {
    run.done.stopped = StopReason::kExhausted;
    curves_[index].Finish();
    return;
  }
  if (records->empty() && IsInterrupted()) return;
  AddTurn(index, *records, run.done.time.propose - thought, Elapsed() - begin);
  Reconsider();
}

void SearchRun::AddTurn(int index, const Records& records, double thinking, double seconds) {
  std::vector<Measurement> measurements;
  for (const auto& record : records) {
    if (record != nullptr) measurements.push_back(record->measurement);
  }
  curves_[index].AddTurn(measurements, thinking, seconds);
}

std::optional<SearchRun::Records> SearchRun::RunRound(int index, int64_t most) {
  TaskRun& run = runs_[index];
  const auto count = static_cast<int>(
      TurnTrials(curves_, index, time_.Left(), std::min<int64_t>(options_.batch, most)));
  const double begin = parts_.clock.Now();
  const auto answer = Ask(index, count);
  time_.propose.Note(parts_.clock.Now() - begin);
  run.done.time.propose += parts_.clock.Now() - begin;
  if (!answer) return Records();
  const std::vector<Proposal>& proposals = *answer;
  SG_CHECK(std::ssize(proposals) <= count, "an agent proposes at most what is asked");
  if (proposals.empty()) return IsInterrupted() ? std::optional(Records()) : std::nullopt;
  Records records = MeasureAll(run, proposals);
  Tell(index, proposals, records);
  return records;
}

// If an agent proposes a success again, it is measured anew.
std::vector<Candidate> SearchRun::CandidatesOf(const TaskRun& run,
                                               std::span<const Proposal> proposals) const {
  std::vector<Candidate> candidates;
  for (const Proposal& proposal : proposals) {
    const bool anew = run.HasSuccess(proposal.key);
    candidates.push_back({.state = proposal.state, .anew = anew, .end = time_.End(options_.stop)});
  }
  return candidates;
}

// Measures until there is a reason to stop.
SearchRun::Records SearchRun::MeasureAll(TaskRun& run, std::span<const Proposal> proposals) {
  Records records;
  const size_t width = std::max(parts_.measurer.Width(), 1);
  parts_.measurer.Expect(CandidatesOf(run, proposals));
  while (records.size() < proposals.size() && !ReasonToStop()) {
    const size_t most = std::min(width, proposals.size() - records.size());
    const int64_t count = time_.BeginTrials(run.trial_seconds, static_cast<int64_t>(most));
    if (count == 0) break;
    const auto some = proposals.subspan(records.size(), static_cast<size_t>(count));
    for (auto& record : MeasureSome(run, some)) records.push_back(std::move(record));
  }
  return records;
}

SearchRun::Records SearchRun::MeasureSome(TaskRun& run, std::span<const Proposal> proposals) {
  const std::vector<Candidate> candidates = CandidatesOf(run, proposals);
  RecordOrigin origin = OriginOf(run, parts_.calendar.Now());
  const double begin = parts_.clock.Now();
  std::vector<Measurement> measurements = parts_.measurer.Measure(candidates);
  SG_CHECK(measurements.size() == candidates.size(), "a measurement for each candidate");
  run.NoteWait(measurements, parts_.clock.Now() - begin);
  NoteSeconds(measurements, parts_.clock.Now() - begin, run);
  Records records;
  const auto made = std::make_shared<std::vector<Record>>();  // keeps all records alive together
  made->reserve(proposals.size());
  for (size_t i = 0; i < proposals.size(); ++i) {
    const Proposal& proposal = proposals[i];
    records.emplace_back();
    if (measurements[i].outcome == Outcome::kCutOff) continue;  // not a trial
    origin.note = proposal.note;
    made->push_back(MakeRecord(origin, proposal.state, proposal.key, std::move(measurements[i])));
    records.back() = {made, &made->back()};
    origin.index = ++run.done.trials;
  }
  StoreRecords(parts_, *made, run);
  for (const auto& record : records) {
    if (record != nullptr) Count(run, record);
  }
  ReserveForFinalists();
  return records;
}

// The first measurement of a task includes its preparation, the others do not.
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
  if (!options_.request.seconds || options_.finalists == 0) return;
  std::vector<double> each;
  for (const TaskRun& run : runs_) {
    if (!run.done.best) continue;
    each.push_back(FinalistSeconds(options_.protocol, run.done.best->measurement,
                                   run.trial_seconds.Longest()));
  }
  time_.Reserve(FinalistReserve(each, options_.finalists, *options_.request.seconds));
}

// The origin of the next trial.
RecordOrigin SearchRun::OriginOf(const TaskRun& run, double started) const {
  return {.task = run.done.task,
          .agent = run.refining ? refiner_ : agent_,
          .space = options_.space,
          .seed = options_.request.seed,
          .index = run.done.trials,
          .host = options_.host,
          .started = started};
}

void SearchRun::Count(TaskRun& run, const std::shared_ptr<const Record>& record) {
  run.Count(record);
  ++trials_;
  const std::optional<Record>& known = run.done.known_best;
  parts_.observer.OnTrial({*record, run.GflopsOf(record->measurement), run.done.best, Elapsed(),
                           trials_, known ? &*known : nullptr});
}

void SearchRun::Tell(int index, const std::vector<Proposal>& proposals, const Records& records) {
  TaskRun& run = runs_[index];
  const double begin = parts_.clock.Now();
  std::vector<Trial> trials;
  for (size_t i = 0; i < proposals.size(); ++i) {
    Trial trial = {index, proposals[i].state, proposals[i].key, TrialStatus::kNotReached, nullptr};
    if (i < records.size() && records[i] != nullptr) {
      trial.record = records[i];
      const bool is_lesson = MayLearnFrom(records[i]->measurement.outcome);
      trial.told = is_lesson ? TrialStatus::kMeasured : TrialStatus::kSaysNothing;
    }
    trials.push_back(std::move(trial));
  }
  run.gain.Hear(trials);
  LetLearn(run, trials);
  time_.tell.Note(parts_.clock.Now() - begin);
  run.done.time.propose += parts_.clock.Now() - begin;
}

}  // namespace schedulegym
