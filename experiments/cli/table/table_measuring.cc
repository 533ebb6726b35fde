#include "experiments/cli/table/table_measuring.h"

#include <algorithm>
#include <utility>

#include "agents/task_scheduler.h"
#include "agents/tuner/tuner.h"
#include "assembly/measuring/host_plan.h"
#include "backends/runner/host_measurer.h"
#include "env/base/required_spec.h"
#include "env/measure/protocol.h"
#include "env/measure/timing/clocks.h"
#include "env/measure/verification/inputs.h"
#include "env/program/analysis.h"
#include "env/schedule/loop_structure.h"
#include "experiments/cli/common/progress.h"
#include "experiments/cli/tune/promising_measurer.h"
#include "experiments/cli/tune/tune_events.h"

namespace schedulegym {
namespace {

// What came to nothing on account of the machine is tried once more.
constexpr int kPasses = 2;

// Proposes what it was given, in order.
class ListedAgent : public Agent {
 public:
  explicit ListedAgent(std::vector<ScheduleState> states) : states_(std::move(states)) {}

  std::vector<Proposal> Propose(int, int count) override {
    std::vector<Proposal> some;
    while (std::ssize(some) < count && next_ < states_.size()) {
      some.push_back(ProposalOf(states_[next_++]));
    }
    return some;
  }

 private:
  std::vector<ScheduleState> states_;
  size_t next_ = 0;
};

class TableReporter : public TuneObserver {
 public:
  TableReporter(Session& session, int64_t total)
      : report_(session.report()),
        words_{ProgramWord(), session.store_path()},
        progress_(report_.err(), !report_.quiet(), "table", session.clock()),
        total_(total) {}

  void OnTrial(const TrialEvent& event) override {
    report_.Event("trial", TrialFields(event, words_));
    progress_.Update({.done = event.trials, .total = total_, .seconds = {}, .best = ""});
  }

  void OnRemark(const RemarkEvent& event) override {
    progress_.Clear();
    report_.Note(RemarkText(event));
  }

  void OnDone(const DoneEvent&) override { progress_.Clear(); }

 private:
  Report& report_;
  ReproduceWords words_;
  Progress progress_;
  int64_t total_;
};

// Whether it says something about its schedule, at a time of peace.
bool Settles(const Record& record) {
  return MayLearnFrom(record.measurement.outcome) && !record.suspect;
}

// What was measured as it is to be measured now.
struct Manner {
  std::string protocol, toolchain;

  bool IsOf(const Record& record) const {
    const auto& session = record.measurement.session;
    return (!session || session->protocol == protocol) && ToolchainOf(record) == toolchain;
  }
};

// The latest of each schedule; of those that settle it, if any does.
std::map<Key, Record> RecordsOf(const RecordStore& store, const Key& task, const Manner& manner) {
  std::map<Key, Record> latest;
  for (const Record& record : store.ForTask(task)) {
    if (!manner.IsOf(record)) continue;
    const auto known = latest.find(record.state_key);
    const bool is_worse = known != latest.end() && Settles(known->second) && !Settles(record);
    if (!is_worse) latest.insert_or_assign(record.state_key, record);
  }
  return latest;
}

std::vector<ScheduleState> Unsettled(const std::vector<ScheduleState>& states,
                                     const std::map<Key, Record>& records) {
  std::vector<ScheduleState> left;
  for (const ScheduleState& state : states) {
    const auto known = records.find(StateKey(state));
    if (known == records.end() || !Settles(known->second)) left.push_back(state);
  }
  return left;
}

TunerOptions OptionsOf(const Session& session, const TablePlan& plan, const Manner& manner,
                       size_t trials, const InterruptScope& interrupt) {
  TunerOptions options;
  options.request.trials = static_cast<int64_t>(trials);
  options.request.agent = {"table", {}};
  options.space = plan.space;
  options.request.seed = session.seed();
  options.host = HostName();
  options.toolchain = manner.toolchain;
  options.request.resume = false;
  options.stop = interrupt.flag();
  return options;
}

}  // namespace

std::map<Key, Record> MeasurePlan(Session& session, const TablePlan& plan,
                                  const std::string& protocol, const InterruptScope& interrupt) {
  const auto task = plan.states.front().shared_task();
  CheckCanFill(task->dag);
  const Protocol timing = MakeProtocol(RequireSpec("--protocol", protocol));
  PromisingMeasurer measurer(MeasurerOfHost(task->target, timing, session.seed()), interrupt);
  const Manner manner = {ProtocolText(timing), MeasuringToolchain(task->target)};
  const auto store = session.WriteStore();
  const Key key = TaskKey(*task);
  const std::vector<ScheduleState> distinct = DistinctStates(plan);
  std::vector<ScheduleState> left = Unsettled(distinct, RecordsOf(*store, key, manner));
  session.report().Note("table of " + std::to_string(plan.states.size()) + " points, " +
                        std::to_string(distinct.size()) + " schedules, of which " +
                        std::to_string(left.size()) + " are to be measured");
  for (int pass = 0; pass < kPasses && !left.empty() && !interrupt.exit_code(); ++pass) {
    ListedAgent agent(left);
    const TunerOptions options = OptionsOf(session, plan, manner, left.size(), interrupt);
    const auto scheduler = MakeTaskScheduler(
        {"round_robin", {}}, {.tasks = {{.flops = CountFlops(task->dag)}}, .batch = options.batch});
    TableReporter reporter(session, options.request.trials);
    const CalendarClock calendar;
    interrupt.Promise(kThinkingSeconds);
    Tune({{task}}, {agent}, options,
         {measurer, *store, *scheduler, reporter, session.clock(), calendar});
    left = Unsettled(distinct, RecordsOf(*store, key, manner));
  }
  const std::map<Key, Record> records = RecordsOf(*store, key, manner);
  std::map<Key, Record> own;
  for (const ScheduleState& state : distinct) {
    const auto found = records.find(StateKey(state));
    if (found != records.end()) own.insert(*found);
  }
  return own;
}

}  // namespace schedulegym
