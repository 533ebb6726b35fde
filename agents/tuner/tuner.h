// Tuner: the loop of a search; ask, measure, record, tell.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/agent.h"
#include "agents/task_scheduler.h"
#include "agents/tuner/refinement_gain.h"
#include "agents/tuner/search_request.h"
#include "env/base/clock.h"
#include "env/measure/measurer.h"
#include "env/measure/protocol.h"
#include "env/measure/store/record_store.h"

namespace schedulegym {

struct TunerTask {
  std::shared_ptr<const Task> task;
  double weight = 1;             // how often the task is run
  ScheduledTask scheduled = {};  // what the scheduler may know of it
};

// Made of a setup with the run's tasks, in their order.
struct TunerAgents {
  Agent& agent;
  Agent* refiner = nullptr;  // has the last trials, if the options give it any
};

struct TunerOptions {
  // Seconds are over all tasks, finalists included: what should not end within them does not begin,
  // and what is measured when they are over is cut off.
  SearchRequest request = {};
  // Of the trials, the last so many are the refiner's, and the same share of the seconds. They are
  // dealt out by weight times latency (refinement_gain.h); what one does not need the others get.
  int64_t refine_trials = 0;
  int batch = 16;     // asked of an agent at once
  std::string space;  // as records name it
  std::string host;
  // What makes the machine code here, "" unknown. Where the best that the store knows is of another
  // one, it is measured again at the start, outside of the budgets: its ratio compares with nothing
  // that will be measured. Agents are told of records of this toolchain alone.
  std::string toolchain;
  // Whether candidates run. Else nothing is measured again, and what is known is what the same
  // toolchain, which stands for the measurer, gave.
  bool is_measured = true;
  // At the end the best that the store knows of each task is measured again, in fresh processes and
  // longer, until the best is one that was, or so many were: what looks best after a single
  // measurement is too good more often than not. Outside of the trials, for a tenth of the search's
  // time at most. 0: never.
  int finalists = 0;
  Protocol protocol;  // the measurer's, which says what a finalist takes
  // The schedule that the measurer pairs candidates with: what a search ends with where it found
  // nothing faster. Null: unknown.
  std::function<ScheduleState(std::shared_ptr<const Task>)> reference;
  // Set by a signal handler; then what is measured is cut off.
  const std::atomic<bool>* stop = nullptr;
};

// kStagnated: the scheduler expects no gain from any task.
enum class StopReason : uint8_t { kTrials, kSeconds, kExhausted, kInterrupted, kStagnated };
// "trials", "seconds", "exhausted", "interrupted", "stagnated".
const char* StopReasonName(StopReason reason);
// Whether it would have gone on: its time was up, or somebody ended it.
bool IsCutShort(StopReason reason);
bool IsCutShort(std::string_view reason);  // by its name

// Where the best of a search comes from.
enum class BestSource : uint8_t { kSearch, kReference };
// "search", "reference".
const char* BestSourceName(BestSource source);

// One for each task, before the first trial of any.
struct StartEvent {
  std::shared_ptr<const TaskInfo> task;
  std::string agent;
  uint64_t seed = 0;
  std::string host;
  int64_t known = 0;                 // records of it that the agent was told of
  std::optional<Record> known_best;  // of those
  double flops = 0;
};

// Before a task is asked for a batch.
struct TurnEvent {
  int task = 0;          // position, as in the order of `start`s
  std::string why = {};  // the scheduler chose it, in a few words; "" where nothing is said
};

// After the record is durable.
struct TrialEvent {
  const Record& record;                // record.index counts the task's trials from 0
  std::optional<double> gflops;        // none for a failure
  const std::optional<Record>& best;   // of this task in this search, this trial included
  double elapsed = 0;                  // seconds since the search began
  int64_t trials = 0;                  // over all tasks, this one included
  const Record* known_best = nullptr;  // of earlier searches; null where nothing is known
};

// The better of what this search found and what earlier ones knew; null without either.
const Record* BestKnown(const TrialEvent& event);

struct SearchSeconds {
  double schedule = 0;  // of the task scheduler, before the task's turns
  double propose = 0;
  double compile = 0;
  double verify = 0;
  double measure = 0;
  double store = 0;
  // Of measuring, when none of its three phases went on: the sum of the three parts below.
  double wait = 0;
  // What is left of the search's seconds, the same for each of its tasks; 0 where phases overlap.
  double other = 0;
  double wait_lock = 0;     // for the measuring lock, which another process held
  double wait_calm = 0;     // for a calm machine
  double wait_workers = 0;  // for workers, until the task is prepared and its reference checked

  double Sum() const {
    return schedule + propose + compile + verify + measure + store + wait + other;
  }
};

// One for each task, at the end.
struct DoneEvent {
  std::shared_ptr<const TaskInfo> task;
  int64_t known = 0;  // records of earlier searches that the agent was told of
  std::optional<Record> known_best;
  int64_t trials = 0;
  int64_t ok = 0;
  std::map<Outcome, int64_t> failed;
  std::map<Outcome, Record> first_failed;  // of each that came up
  double elapsed = 0;
  StopReason stopped = StopReason::kTrials;
  // Of this search; the reference schedule, with the session's time of it if that is known, where
  // nothing that was found is faster (PreferReference).
  std::optional<Record> best;
  std::optional<double> best_gflops;
  // The task's reference, and what candidates are compared with, was found right in every cell.
  bool verified = false;
  BestSource source = BestSource::kSearch;      // of the best
  std::optional<std::string> reference_record;  // id, where the reference was a candidate as well
  int finalists = 0;                            // that were measured again
  SearchSeconds time;
  std::optional<RefinementGain> refined;  // where the best was refined
  TaskCurve curve;                        // how it went, refining apart
  // The best of all searches as the store has it now, this one included; the reference schedule
  // where `best` is it and nothing in the store is faster.
  std::optional<Record> best_known;
  std::optional<double> best_known_gflops;
};

// The id of the best's record; none without a best, or of one that was no candidate.
std::optional<std::string> BestRecordId(const DoneEvent& event);

// Whether the best known is another schedule, or another measurement, than the best of this search:
// an earlier search found better.
bool IsKnownBetter(const DoneEvent& event);

// The best known is worse than what was told, for that did not stand.
struct RevisedEvent {
  int index = 0;  // of the task, as in the order of `start`s
  std::shared_ptr<const TaskInfo> task;
  Record before;               // what was told
  std::optional<Record> best;  // what is known now
  std::string why;             // in a few words
  double elapsed = 0;          // seconds since the search began
};

// What a user should know; as soon as it is found out.
struct WarningEvent {
  std::shared_ptr<const TaskInfo> task;  // of whose measurements; null: of the search
  std::string text;
};

// With the name of its task.
std::string WarningText(const WarningEvent& event);

class TuneObserver {
 public:
  virtual ~TuneObserver() = default;
  virtual void OnStart(const StartEvent& event) { (void)event; }
  virtual void OnTurn(const TurnEvent& event) { (void)event; }
  virtual void OnTrial(const TrialEvent& event) { (void)event; }
  virtual void OnRevised(const RevisedEvent& event) { (void)event; }
  virtual void OnWarning(const WarningEvent& event) { (void)event; }
  virtual void OnDone(const DoneEvent& event) { (void)event; }
};

// What a search stands on.
struct TunerParts {
  Measurer& measurer;
  RecordStore& store;
  TaskScheduler& scheduler;
  TuneObserver& observer;
  const Clock& clock;
  const Clock& calendar;  // seconds since 1970, for records
};

// Runs until a budget is used up, every task is exhausted or `stop` is set, then lets the refiner
// go on from the best, which knows of all records; says how each task ended, in their order. A
// failing candidate never ends it; MachineError from the measurer or the store does, after every
// trial so far is recorded.
std::vector<DoneEvent> Tune(const std::vector<TunerTask>& tasks, const TunerAgents& agents,
                            const TunerOptions& options, const TunerParts& parts);

}  // namespace schedulegym
