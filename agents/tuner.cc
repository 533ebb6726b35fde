#include "agents/tuner.h"

#include <algorithm>
#include <utility>

#include "agents/known_records.h"
#include "env/base/check.h"
#include "env/program/analysis.h"
#include "env/schedule/loop_structure.h"

namespace schedulegym {
namespace {

// One task of a search and how it stands.
struct TaskRun {
  TunerTask task;
  double flops = 0;
  DoneEvent done;
  std::map<Key, Record> successes;  // by state
};

std::optional<double> GflopsOf(const Measurement& measurement, double flops) {
  if (!measurement.ok()) return std::nullopt;
  return flops / measurement.timing->seconds * 1e-9;
}

class Search {
 public:
  Search(const std::vector<TunerTask>& tasks, const TunerOptions& options, const TunerParts& parts)
      : options_(options), parts_(parts), begin_(parts.clock.Now()) {
    for (const TunerTask& task : tasks) {
      TaskRun run{task, CountFlops(task.task->dag), {}};
      run.done.task = DescribeTask(*task.task);
      runs_.push_back(std::move(run));
    }
  }

  std::vector<DoneEvent> Run() {
    for (size_t i = 0; i < runs_.size(); ++i) Start(static_cast<int>(i));
    std::optional<StopReason> reason = ReasonToStop();
    while (!reason) {
      const std::optional<int> next = parts_.scheduler.Next();
      if (!next) break;
      parts_.observer.OnTurn({*next});
      RunBatch(*next);
      reason = ReasonToStop();
    }
    return Conclude(reason.value_or(StopReason::kStagnated));
  }

 private:
  double Elapsed() const { return parts_.clock.Now() - begin_; }

  std::optional<StopReason> ReasonToStop() const {
    if (options_.stop != nullptr && *options_.stop) return StopReason::kInterrupted;
    if (trials_ >= options_.trials) return StopReason::kTrials;
    if (options_.seconds && Elapsed() >= *options_.seconds) return StopReason::kSeconds;
    return std::nullopt;
  }

  // Tells agent and scheduler what is known.
  void Start(int index) {
    TaskRun& run = runs_[index];
    StartEvent event = {run.done.task, options_.agent, options_.seed, options_.host, 0, {},
                        run.flops};
    if (options_.resume) {
      const std::vector<Record> known = KnownRecords(parts_.store, run.done.task->key);
      event.known = run.done.known = static_cast<int64_t>(known.size());
      if (!known.empty()) {
        run.task.agent.Learn(known);
        parts_.scheduler.Resume(index, known);
      }
      event.known_best = run.done.known_best = parts_.store.Best(run.done.task->key);
    }
    parts_.observer.OnStart(event);
  }

  // Asks, measures and tells once; finishes the task when its agent has nothing left.
  void RunBatch(int index) {
    TaskRun& run = runs_[index];
    const int count =
        static_cast<int>(std::min<int64_t>(options_.batch, options_.trials - trials_));
    const double begin = parts_.clock.Now();
    const std::vector<ScheduleState> states = run.task.agent.Propose(run.task.task, count);
    run.done.time.propose += parts_.clock.Now() - begin;
    SG_CHECK(static_cast<int>(states.size()) <= count, "an agent proposes at most what is asked");
    if (states.empty()) {
      run.done.stopped = StopReason::kExhausted;
      parts_.scheduler.Finish(index);
      return;
    }
    const std::vector<Record> records = MeasureAll(run, states);
    Tell(index, records);
    Reconsider();
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

  void MeasureAgain(TaskRun& run, const Candidate& suspect) {
    const double started = parts_.calendar.Now();
    const std::vector<Measurement> measurements = parts_.measurer.Measure({&suspect, 1});
    const Record record = MakeRecord(run, suspect.state, measurements.at(0), started);
    Store(run, {record});
    if (MayLearnFrom(record.measurement.outcome)) run.task.agent.Learn({&record, 1});
    run.successes.erase(record.state_key);
    run.done.best.reset();
    run.done.best_gflops.reset();
    for (const auto& [key, success] : run.successes) KeepIfBetter(run, success);
    if (record.measurement.ok()) KeepIfBetter(run, record);
  }

  static void KeepIfBetter(TaskRun& run, Record record) {
    DoneEvent& done = run.done;
    if (!done.best || IsBetter(record.measurement, done.best->measurement)) {
      done.best_gflops = GflopsOf(record.measurement, run.flops);
      done.best = record;
    }
    run.successes.insert_or_assign(record.state_key, std::move(record));
  }

  // Until a reason to stop turns up.
  std::vector<Record> MeasureAll(TaskRun& run, const std::vector<ScheduleState>& states) {
    std::vector<Record> records;
    const size_t width = std::max(parts_.measurer.Width(), 1);
    std::vector<Candidate> candidates;
    for (const ScheduleState& state : states) candidates.push_back({state});
    parts_.measurer.Expect(candidates);
    while (records.size() < states.size() && !ReasonToStop()) {
      const size_t end = std::min(records.size() + width, states.size());
      const std::span<const ScheduleState> some(states.begin() + records.size(),
                                                states.begin() + end);
      for (Record& record : MeasureSome(run, some)) records.push_back(std::move(record));
    }
    return records;
  }

  std::vector<Record> MeasureSome(TaskRun& run, std::span<const ScheduleState> states) {
    std::vector<Candidate> candidates;
    for (const ScheduleState& state : states) candidates.push_back({state});
    const double started = parts_.calendar.Now();
    std::vector<Measurement> measurements = parts_.measurer.Measure(candidates);
    SG_CHECK(measurements.size() == candidates.size(), "a measurement for each candidate");
    std::vector<Record> records;
    for (size_t i = 0; i < states.size(); ++i) {
      records.push_back(MakeRecord(run, states[i], std::move(measurements[i]), started));
      run.done.trials += 1;
    }
    Store(run, records);
    for (const Record& record : records) Count(run, record);
    return records;
  }

  Record MakeRecord(const TaskRun& run, const ScheduleState& state, Measurement measurement,
                    double started) const {
    Record record;
    record.task = run.done.task;
    record.trace = state.TraceText();
    record.state_key = StateKey(state);
    record.agent = options_.agent;
    record.seed = options_.seed;
    record.index = run.done.trials;
    record.host = options_.host;
    record.started = started;
    record.measurement = std::move(measurement);
    record.id = RecordId(record);
    return record;
  }

  void Store(TaskRun& run, const std::vector<Record>& records) {
    const double begin = parts_.clock.Now();
    parts_.store.Append(records);
    run.done.time.store += parts_.clock.Now() - begin;
  }

  void Count(TaskRun& run, const Record& record) {
    DoneEvent& done = run.done;
    const Measurement& measurement = record.measurement;
    done.time.compile += measurement.phases.compile;
    done.time.verify += measurement.phases.verify;
    done.time.measure += measurement.phases.measure;
    if (measurement.ok()) {
      ++done.ok;
    } else {
      ++done.failed[measurement.outcome];
      done.first_failed.try_emplace(measurement.outcome, record);
    }
    if (measurement.ok()) KeepIfBetter(run, record);
    ++trials_;
    parts_.observer.OnTrial(
        {record, GflopsOf(measurement, run.flops), done.best, Elapsed(), trials_});
  }

  void Tell(int index, const std::vector<Record>& records) {
    TaskRun& run = runs_[index];
    const double begin = parts_.clock.Now();
    std::vector<Record> lessons;
    for (const Record& record : records) {
      if (MayLearnFrom(record.measurement.outcome)) lessons.push_back(record);
    }
    run.task.agent.Learn(lessons);
    run.done.time.propose += parts_.clock.Now() - begin;
    std::vector<Measurement> measurements;
    for (const Record& record : records) measurements.push_back(record.measurement);
    parts_.scheduler.Report(index, measurements);
  }

  // Exhausted tasks keep that reason.
  std::vector<DoneEvent> Conclude(StopReason reason) {
    std::vector<DoneEvent> events;
    for (TaskRun& run : runs_) {
      run.done.elapsed = Elapsed();
      if (run.done.stopped != StopReason::kExhausted) run.done.stopped = reason;
      run.done.refined = run.task.agent.Gain(run.done.task->key);
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
