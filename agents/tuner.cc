#include "agents/tuner.h"

#include <algorithm>
#include <utility>

#include "agents/known_best.h"
#include "agents/known_records.h"
#include "agents/refine_shares.h"
#include "agents/task_run.h"
#include "env/base/check.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

class Search {
 public:
  Search(const std::vector<TunerTask>& tasks, const TunerOptions& options, const TunerParts& parts)
      : options_(options), parts_(parts), begin_(parts.clock.Now()) {
    SG_CHECK(options.refine_trials == 0 || options.refine_trials < options.trials,
             "refining leaves trials to the search");
    for (const TunerTask& task : tasks) runs_.emplace_back(task);
  }

  std::vector<DoneEvent> Run() {
    for (size_t i = 0; i < runs_.size(); ++i) Start(static_cast<int>(i));
    StopReason reason = Explore();
    if (options_.refine_trials > 0 && reason != StopReason::kInterrupted) reason = Refine(reason);
    Confirm();
    return Conclude(reason);
  }

 private:
  double Elapsed() const { return parts_.clock.Now() - begin_; }

  bool IsInterrupted() const { return options_.stop != nullptr && *options_.stop; }

  // For this share of the budgets.
  std::optional<StopReason> ReasonToStop() const {
    if (IsInterrupted()) return StopReason::kInterrupted;
    if (trials_ >= trials_limit_) return StopReason::kTrials;
    if (seconds_limit_ && Elapsed() >= *seconds_limit_) return StopReason::kSeconds;
    return std::nullopt;
  }

  // Tells agent and scheduler what is known.
  void Start(int index) {
    TaskRun& run = runs_[index];
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

  std::vector<Record> Known(const TaskRun& run) const {
    return KnownRecords(parts_.store, run.done.task->key, options_.toolchain);
  }

  // The agents' part of the search.
  StopReason Explore() {
    const auto trials = static_cast<double>(options_.trials);
    const double share = 1 - static_cast<double>(options_.refine_trials) / trials;
    trials_limit_ = options_.trials - options_.refine_trials;
    if (options_.seconds) seconds_limit_ = *options_.seconds * share;
    std::optional<StopReason> reason = ReasonToStop();
    while (!reason) {
      const std::optional<int> next = parts_.scheduler.Next();
      if (!next) break;
      parts_.observer.OnTurn({*next});
      RunBatch(*next);
      reason = ReasonToStop();
    }
    return reason.value_or(StopReason::kStagnated);
  }

  // Finishes the task when its agent has nothing left.
  void RunBatch(int index) {
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

  // The refiners' part, where the agents' ended for `reason`.
  StopReason Refine(StopReason reason) {
    trials_limit_ = options_.trials;
    seconds_limit_ = options_.seconds;
    for (int64_t before = -1; before != trials_ && !ReasonToStop();) {
      before = trials_;
      std::vector<double> parts;
      for (const TaskRun& run : runs_) parts.push_back(run.RefinablePart());
      for (const RefineShare& share : DealTrials(parts, options_.trials - trials_)) {
        RefineTask(share.task, share.trials);
      }
    }
    const bool stagnated = reason == StopReason::kStagnated;
    return ReasonToStop().value_or(stagnated ? reason : StopReason::kExhausted);
  }

  void RefineTask(int index, int64_t share) {
    TaskRun& run = runs_[index];
    if (!run.is_refining()) {
      run.asked = run.task.refiner;
      run.explored = run.done.trials;
      run.asked->Learn(options_.resume ? Known(run) : run.Successes());
    }
    const int64_t end = trials_ + share;
    while (!ReasonToStop() && trials_ < end && !run.refined) {
      parts_.observer.OnTurn({index});
      run.refined = !RunRound(run, end - trials_);
      Reconsider();
    }
  }

  // Asks, measures and tells once, at most `most`; none when there is nothing left.
  std::optional<std::vector<Record>> RunRound(TaskRun& run, int64_t most) {
    const int count = static_cast<int>(std::min<int64_t>(options_.batch, most));
    const double begin = parts_.clock.Now();
    const std::vector<ScheduleState> states = run.asked->Propose(run.task.task, count);
    run.done.time.propose += parts_.clock.Now() - begin;
    SG_CHECK(static_cast<int>(states.size()) <= count, "an agent proposes at most what is asked");
    if (states.empty()) return std::nullopt;
    std::vector<Record> records = MeasureAll(run, states);
    Tell(run, records);
    return records;
  }

  // What turned out doubtful is measured again, outside of the budget.
  void Reconsider() {
    const Afterthoughts afterthoughts = parts_.measurer.TakeAfterthoughts();
    if (!afterthoughts.sentinels.empty())
      parts_.store.Write({.sentinels = afterthoughts.sentinels});
    for (const TaskRemark& remark : afterthoughts.remarks) {
      for (const TaskRun& run : runs_) {
        if (run.done.task->key == remark.task) {
          parts_.observer.OnRemark({run.done.task, remark.text});
        }
      }
    }
    for (const Candidate& suspect : afterthoughts.suspects) {
      if (ReasonToStop() == StopReason::kInterrupted) return;
      for (size_t i = 0; i < runs_.size(); ++i) {
        if (runs_[i].task.task != suspect.state.shared_task()) continue;
        MeasureAgain(runs_[i], suspect);
        parts_.scheduler.Revise(static_cast<int>(i), runs_[i].done.best);
      }
    }
  }

  // It stays what its agent found, and keeps its number.
  void MeasureAgain(TaskRun& run, const Candidate& suspect) {
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

  // Of every task the best that is known, or what is best instead once that was measured again.
  void Confirm() {
    constexpr double kMostShare = 0.1;
    const double end = parts_.clock.Now() + kMostShare * Elapsed();
    for (TaskRun& run : runs_) ConfirmBest(options_, parts_, end, run);
    if (options_.finalists > 0) Reconsider();
  }

  // Until a reason to stop turns up.
  std::vector<Record> MeasureAll(TaskRun& run, const std::vector<ScheduleState>& states) {
    std::vector<Record> records;
    const size_t width = std::max(parts_.measurer.Width(), 1);
    parts_.measurer.Expect(CandidatesOf(run, states));
    while (records.size() < states.size() && !ReasonToStop()) {
      const size_t end = std::min(records.size() + width, states.size());
      const std::span<const ScheduleState> some(states.begin() + records.size(),
                                                states.begin() + end);
      for (Record& record : MeasureSome(run, some)) records.push_back(std::move(record));
    }
    return records;
  }

  // An agent that proposes what succeeded before wants another measurement of it.
  static std::vector<Candidate> CandidatesOf(const TaskRun& run,
                                             std::span<const ScheduleState> states) {
    std::vector<Candidate> candidates;
    for (const ScheduleState& state : states) {
      candidates.push_back({.state = state, .anew = run.HasSuccess(StateKey(state))});
    }
    return candidates;
  }

  std::vector<Record> MeasureSome(TaskRun& run, std::span<const ScheduleState> states) {
    const std::vector<Candidate> candidates = CandidatesOf(run, states);
    const double started = parts_.calendar.Now();
    std::vector<Measurement> measurements = parts_.measurer.Measure(candidates);
    SG_CHECK(measurements.size() == candidates.size(), "a measurement for each candidate");
    std::vector<Record> records;
    for (size_t i = 0; i < states.size(); ++i) {
      records.push_back(MakeRecord(run, states[i], std::move(measurements[i]), started));
      run.done.trials += 1;
    }
    StoreRecords(parts_, records, run);
    for (const Record& record : records) Count(run, record);
    return records;
  }

  Record MakeRecord(const TaskRun& run, const ScheduleState& state, Measurement measurement,
                    double started) const {
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

  void Count(TaskRun& run, const Record& record) {
    run.Count(record);
    ++trials_;
    parts_.observer.OnTrial(
        {record, run.GflopsOf(record.measurement), run.done.best, Elapsed(), trials_});
  }

  void Tell(TaskRun& run, const std::vector<Record>& records) {
    const double begin = parts_.clock.Now();
    std::vector<Record> lessons;
    for (const Record& record : records) {
      if (MayLearnFrom(record.measurement.outcome)) lessons.push_back(record);
    }
    run.asked->Learn(lessons);
    run.done.time.propose += parts_.clock.Now() - begin;
  }

  std::optional<RefinementGain> GainOf(const TaskRun& run) const {
    std::optional<RefinementGain> gain = run.asked->Gain(run.done.task->key);
    if (!gain || !run.is_refining()) return gain;
    gain->trials = run.done.trials - run.explored;
    gain->agent = options_.agent;
    gain->after = run.explored;
    return gain;
  }

  // Exhausted tasks keep that reason.
  std::vector<DoneEvent> Conclude(StopReason reason) {
    std::vector<DoneEvent> events;
    for (TaskRun& run : runs_) {
      run.done.elapsed = Elapsed();
      if (run.done.stopped != StopReason::kExhausted) run.done.stopped = reason;
      run.done.refined = GainOf(run);
      parts_.observer.OnDone(run.done);
      events.push_back(run.done);
    }
    return events;
  }

  const TunerOptions& options_;
  const TunerParts& parts_;
  double begin_;
  std::vector<TaskRun> runs_;
  int64_t trials_ = 0;  // over all tasks
  int64_t trials_limit_ = 0;
  std::optional<double> seconds_limit_;
};

}  // namespace

const char* StopReasonName(StopReason reason) {
  switch (reason) {
    case StopReason::kTrials: return "trials";
    case StopReason::kSeconds: return "seconds";
    case StopReason::kExhausted: return "exhausted";
    case StopReason::kInterrupted: return "interrupted";
    case StopReason::kStagnated: return "stagnated";
  }
  return "unknown";
}

std::vector<DoneEvent> Tune(const std::vector<TunerTask>& tasks, const TunerOptions& options,
                            const TunerParts& parts) {
  return Search(tasks, options, parts).Run();
}

}  // namespace schedulegym
