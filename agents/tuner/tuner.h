// Tuner: the loop of a search: propose, measure, record, learn.
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
  double weight = 1;             // runs of the task
  ScheduledTask scheduled = {};  // the facts for the scheduler
};

// Made from a setup with the run's tasks, in their order.
struct TunerAgents {
  Agent& agent;
  Agent* refiner = nullptr;  // gets the last trials, if the options give it any
};

struct TunerOptions {
  // Seconds are over all tasks, finalists included. Work that should not end within them does not
  // begin, and measurements still running at the end are cut off.
  SearchRequest request = {};
  // The refiner gets this number of last trials, and the same share of the seconds. They are dealt
  // by weight times latency (refinement_gain.h); unused ones go to other tasks.
  int64_t refine_trials = 0;
  int batch = 16;     // proposals requested from an agent at once
  std::string space;  // as in records
  std::string host;
  // The toolchain that makes the machine code here, "" unknown. A best in the store from another
  // toolchain is measured again at the start, outside of the budgets, since its ratio does not
  // compare with later ones. Agents receive only records of this toolchain.
  std::string toolchain;
  // Whether candidates run. If not, nothing is measured again, and the known records are those of
  // the same toolchain, which identifies the measurer.
  bool is_measured = true;
  // At the end, the store's best of each task is measured again, in fresh processes and longer,
  // until the best is such a finalist or this many were measured. A best by single measurements is
  // too good more often than not. Outside of the trials, at most a tenth of the search's time; 0:
  // never.
  int finalists = 0;
  Protocol protocol;  // the measurer's; sets the cost of a finalist
  // The reference schedule, which candidates are paired with. It is the result of a search that
  // found nothing faster. Null: unknown.
  std::function<ScheduleState(std::shared_ptr<const Task>)> reference;
  // Set by a signal handler; running measurements are then cut off.
  const std::atomic<bool>* stop = nullptr;
};

// kStagnated: the scheduler expects no gain from any task.
enum class StopReason : uint8_t { kTrials, kSeconds, kExhausted, kInterrupted, kStagnated };
// "trials", "seconds", "exhausted", "interrupted", "stagnated".
const char* StopReasonName(StopReason reason);
// Returns whether the search was ended early: by time or by an interrupt.
bool IsCutShort(StopReason reason);
bool IsCutShort(std::string_view reason);  // by its name

// The source of a search's best.
enum class BestSource : uint8_t { kSearch, kReference };
// "search", "reference".
const char* BestSourceName(BestSource source);

// One for each task, before the first trial of any task.
struct StartEvent {
  std::shared_ptr<const TaskInfo> task;
  std::string agent;
  uint64_t seed = 0;
  std::string host;
  int64_t known = 0;                 // its records that the agent received
  std::optional<Record> known_best;  // of those
  double flops = 0;
};

// Before a task's agent proposes a batch.
struct TurnEvent {
  int task = 0;          // position, as in the order of StartEvents
  std::string why = {};  // the scheduler's reason, in a few words; may be ""
};

// After the record is stored durably.
struct TrialEvent {
  const Record& record;                // record.index counts the task's trials from 0
  std::optional<double> gflops;        // nullopt for a failure
  const std::optional<Record>& best;   // of this task in this search, this trial included
  double elapsed = 0;                  // seconds since the search began
  int64_t trials = 0;                  // over all tasks, this one included
  const Record* known_best = nullptr;  // of earlier searches; nullptr if none
};

// The better of this search's best and that of earlier ones; nullptr without either.
const Record* BestKnown(const TrialEvent& event);

struct SearchSeconds {
  double schedule = 0;  // of the task scheduler, before the task's turns
  double propose = 0;
  double compile = 0;
  double verify = 0;
  double measure = 0;
  double store = 0;
  // Measuring time outside of these three phases: the sum of the three parts below.
  double wait = 0;
  // The rest of the search's seconds, the same for each of its tasks; 0 if phases overlap.
  double other = 0;
  double wait_lock = 0;     // for the measuring lock, held by another process
  double wait_calm = 0;     // for a calm machine
  double wait_workers = 0;  // for workers: preparing the task and checking its reference

  double Sum() const {
    return schedule + propose + compile + verify + measure + store + wait + other;
  }
};

// One for each task, at the end.
struct DoneEvent {
  std::shared_ptr<const TaskInfo> task;
  int64_t known = 0;  // records of earlier searches that the agent received
  std::optional<Record> known_best;
  int64_t trials = 0;
  int64_t ok = 0;
  std::map<Outcome, int64_t> failed;
  std::map<Outcome, Record> first_failed;  // one for each outcome
  double elapsed = 0;
  StopReason stopped = StopReason::kTrials;
  // The best of this search. It is the reference schedule, with the session's time of it if known,
  // if nothing faster was found (PreferReference).
  std::optional<Record> best;
  std::optional<double> best_gflops;
  // The task's reference was found right in every cell; candidates are compared with it.
  bool verified = false;
  BestSource source = BestSource::kSearch;      // of the best
  std::optional<std::string> reference_record;  // id, if the reference was also a candidate
  int finalists = 0;                            // measured again
  SearchSeconds time;
  std::optional<RefinementGain> refined;  // if the best was refined
  TaskCurve curve;                        // progress of the search, without refining
  // The best of all searches now in the store, this one included; the reference schedule if `best`
  // is and nothing in the store is faster.
  std::optional<Record> best_known;
  std::optional<double> best_known_gflops;
};

// The id of the best's record; nullopt without a best, or if it was not a candidate.
std::optional<std::string> BestRecordId(const DoneEvent& event);

// Returns whether the best known is another schedule or measurement than this search's best: an
// earlier search found better.
bool IsKnownBetter(const DoneEvent& event);

// The best known is worse than reported before, because a result was revised.
struct RevisedEvent {
  int index = 0;  // of the task, in the order of StartEvents
  std::shared_ptr<const TaskInfo> task;
  Record before;               // as reported
  std::optional<Record> best;  // known now
  std::string why;             // in a few words
  double elapsed = 0;          // seconds since the search began
};

// A warning for the user, sent as soon as its cause is found.
struct WarningEvent {
  std::shared_ptr<const TaskInfo> task;  // the task of the measurements; null: the whole search
  std::string text;
};

// The text with the name of its task.
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

// The components of a search.
struct TunerParts {
  Measurer& measurer;
  RecordStore& store;
  TaskScheduler& scheduler;
  TuneObserver& observer;
  const Clock& clock;
  const Clock& calendar;  // seconds since 1970, for records
};

// Runs until a budget is used up, every task is exhausted or `stop` is set. Then the refiner, which
// receives all records, continues from the best. Returns the end of each task, in their order. A
// failing candidate never ends the search. A MachineError from the measurer or the store does,
// after every trial so far is recorded.
std::vector<DoneEvent> Tune(const std::vector<TunerTask>& tasks, const TunerAgents& agents,
                            const TunerOptions& options, const TunerParts& parts);

}  // namespace schedulegym
