// Plans and measures a table. A grid thins each sketch's knobs until about `points` / sketches are
// left; a contest takes, where near thinning leaves random search above 0.95 of the best (by the
// analytical model), even thinning if that is lower. A tree of construct actions is grown from the
// seed instead. Measuring is a search that proposes the distinct states in order, without those the
// store settles (same protocol and toolchain, not suspect); what failed on account of the machine
// is tried a second time. The best share is then timed again as finalists, for the best of many
// short timings is partly luck, until all of the best share are such. The reference's seconds are
// the median over all successes; numbers keep 6 digits. Cost: one measurement a state.
#include "experiments/cli/table/table_plan.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <utility>

#include "agents/task_scheduler.h"
#include "agents/tuner/tuner.h"
#include "assembly/measuring/measurer_factory.h"
#include "backends/runner/host_measurer.h"
#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/features/analytical_cost.h"
#include "env/gym/tables/knob_thinning.h"
#include "env/gym/tables/tree_growth.h"
#include "env/measure/forwarding_measurer.h"
#include "env/measure/protocol.h"
#include "env/measure/timing/clocks.h"
#include "env/program/analysis.h"
#include "env/schedule/loop_structure.h"
#include "experiments/cli/common/progress.h"
#include "experiments/cli/tune/tune_events.h"

namespace schedulegym {
namespace {

// Measurements do not have more digits.
double Rounded(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", number);
  return std::strtod(text, nullptr);
}

// The median over all successes; 0 without any.
double ReferenceSeconds(const std::map<Key, Record>& records) {
  std::vector<double> seconds;
  for (const auto& [key, record] : records) {
    const std::optional<Timing>& timing = record.measurement.timing;
    if (timing) seconds.push_back(timing->seconds * timing->ratio.median);
  }
  if (seconds.empty()) return 0;
  std::sort(seconds.begin(), seconds.end());
  return Rounded(seconds[seconds.size() / 2]);
}

// As they read back from a table, around the seconds of a row; none where they are no times.
std::vector<float> Kept(const std::vector<float>& samples, double middle) {
  const bool are_times =
      std::all_of(samples.begin(), samples.end(), [](float sample) { return sample > 0; });
  if (!are_times) return {};
  return ParseSamples(SamplesText(samples, middle), middle).value_or(std::vector<float>());
}

RawSamples SamplesOf(const Timing& timing, const EvaluationResult& evaluation) {
  const double seconds = *evaluation.seconds;
  RawSamples samples = {Kept(timing.samples, seconds),
                        Kept(timing.reference_samples, seconds * evaluation.speed.median)};
  if (samples.candidate.size() != samples.reference.size()) return {};
  return samples;
}

TableFacts FactsOf(const TablePlan& plan, const std::map<Key, Record>& records) {
  TableFacts facts;
  facts.space = plan.space + ", " + plan.part;
  facts.reference_seconds = ReferenceSeconds(records);
  for (const auto& [key, record] : records) {
    const auto& session = record.measurement.session;
    if (!session) continue;
    facts.toolchain = session->toolchain;
    if (!session->probe.empty()) facts.host = session->probe;
  }
  return facts;
}

// In a hard table the median best of random search is at most this share of the best.
constexpr double kMostOfBest = 0.95;

std::optional<TableRandomBaseline> EstimatedChance(const std::vector<ScheduleState>& states) {
  std::vector<std::optional<double>> speeds;
  for (const ScheduleState& state : states) {
    const double seconds = EstimateCost(state).Seconds();
    speeds.push_back(seconds > 0 ? std::optional(1 / seconds) : std::nullopt);
  }
  return RandomBaselineOf(speeds);
}

double OfBest(const TablePlan& plan) { return plan.estimated ? plan.estimated->of_best : 1; }

std::vector<Sketch> SketchesOf(const std::shared_ptr<const Task>& task, const SearchSpace& space,
                               const std::optional<int64_t>& sketch) {
  std::vector<Sketch> sketches = space.Sketches(task);
  if (!sketch) return sketches;
  if (*sketch < std::ssize(sketches)) return {sketches[static_cast<size_t>(*sketch)]};
  throw InputError("--sketch: found " + std::to_string(*sketch) + ", but space " + space.Name() +
                   " has " + std::to_string(sketches.size()) + " sketches of " + task->name +
                   ", counted from 0");
}

TablePlan PlanBy(ThinningRule rule, const std::vector<Sketch>& sketches, const std::string& space,
                 const GridRequest& request) {
  Rng rng(request.seed);
  std::vector<ThinGrid> grids;
  const int64_t share = std::max<int64_t>(request.points / std::ssize(sketches), 1);
  for (const Sketch& sketch : sketches) {
    grids.push_back(ThinOut(sketch.knobs->With(InvalidPointPolicy::kLower), share, rng, rule));
  }
  ThinGrid grid = JoinGrids(std::move(grids));
  const std::string part = request.sketch ? "sketch " + std::to_string(*request.sketch)
                                          : std::to_string(sketches.size()) + " sketches";
  if (grid.knobs.empty() || grid.points.empty()) {
    throw InputError("found one point of " + part +
                     ", expected several: more --points, or another --sketch");
  }
  CheckGrid(grid.knobs);  // before it is measured
  KnobRows rows = {std::move(grid.knobs), std::move(grid.tiles), std::move(grid.points), {}};
  for (const ScheduleState& state : grid.states) rows.traces.push_back(state.TraceText());
  const std::optional<TableRandomBaseline> estimated = EstimatedChance(grid.states);
  return {space, part, std::move(rows), std::move(grid.states), estimated};
}

// Failures of the machine are tried once more.
constexpr int kPasses = 2;
// Those that look best once the lucky ones were timed again are timed again, too.
constexpr int kMostRetimed = 8;

// The note of a record that was timed again as a finalist.
constexpr const char* kRetimed = "retimed";

// Proposes the given schedules in order, each with the note.
class ListedAgent : public Agent {
 public:
  ListedAgent(std::vector<ScheduleState> states, std::string note)
      : states_(std::move(states)), note_(std::move(note)) {}

  std::vector<Proposal> Propose(int, int count) override {
    std::vector<Proposal> some;
    while (std::ssize(some) < count && next_ < states_.size()) {
      some.push_back(ProposalOf(states_[next_++]));
      some.back().note = note_;
    }
    return some;
  }

 private:
  std::vector<ScheduleState> states_;
  std::string note_;
  size_t next_ = 0;
};

// Measures each candidate as a finalist.
class FinalistMeasurer : public ForwardingMeasurer {
 public:
  using ForwardingMeasurer::ForwardingMeasurer;

  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    std::vector<Candidate> finalists(candidates.begin(), candidates.end());
    for (Candidate& candidate : finalists) candidate.finalist = true;
    return measurer().Measure(finalists);
  }
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

  void OnWarning(const WarningEvent& event) override {
    progress_.Clear();
    report_.Note(WarningText(event));
  }

  void OnDone(const DoneEvent&) override { progress_.Clear(); }

 private:
  Report& report_;
  ReproduceWords words_;
  Progress progress_;
  int64_t total_;
};

// Whether the record has a result of its schedule from a calm time.
bool Settles(const Record& record) {
  return MayLearnFrom(record.measurement.outcome) && !record.suspect;
}

// Conditions that a measurement must have to be reused.
struct Manner {
  std::string protocol, toolchain;

  bool IsOf(const Record& record) const {
    const auto& session = record.measurement.session;
    return (!session || session->protocol == protocol) && ToolchainOf(record) == toolchain;
  }
};

// The latest record of each schedule; the latest that settles it, if there is one.
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

// The best share by current results, without those that were timed as finalists.
std::vector<ScheduleState> ToRetime(const std::vector<ScheduleState>& states,
                                    const std::map<Key, Record>& records, double share) {
  std::vector<std::pair<double, size_t>> ranked;
  for (size_t i = 0; i < states.size(); ++i) {
    const auto found = records.find(StateKey(states[i]));
    if (found == records.end() || !found->second.measurement.ok()) continue;
    ranked.push_back({-found->second.measurement.timing->ratio.median, i});
  }
  std::ranges::sort(ranked);
  ranked.resize(static_cast<size_t>(std::ceil(share * static_cast<double>(ranked.size()))));
  std::vector<ScheduleState> left;
  for (const auto& [speed, place] : ranked) {
    const ScheduleState& state = states[place];
    if (records.at(StateKey(state)).note != kRetimed) left.push_back(state);
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

TablePlan PlanGrid(const std::shared_ptr<const Task>& task, const SearchSpace& space,
                   const GridRequest& request) {
  const std::vector<Sketch> sketches = SketchesOf(task, space, request.sketch);
  TablePlan near = PlanBy(ThinningRule::kNear, sketches, space.Name(), request);
  if (!request.is_hard || OfBest(near) <= kMostOfBest) return near;
  TablePlan even = PlanBy(ThinningRule::kEven, sketches, space.Name(), request);
  return OfBest(even) < OfBest(near) ? even : near;
}

TablePlan PlanTree(const std::shared_ptr<const Task>& task, int64_t points, uint64_t seed) {
  Rng rng(seed);
  const TreeGrowth growth = {.rows = points};
  GrownTree tree = GrowTree(task, growth, rng);
  return {"construct", "breadth " + std::to_string(growth.breadth), std::move(tree.rows),
          std::move(tree.states)};
}

std::vector<ScheduleState> DistinctStates(const TablePlan& plan) {
  std::vector<ScheduleState> distinct;
  std::set<Key> known;
  for (const ScheduleState& state : plan.states) {
    if (known.insert(StateKey(state)).second) distinct.push_back(state);
  }
  return distinct;
}

TableRow RowOf(const Measurement& measurement) {
  const PhaseSeconds& phases = measurement.phases;
  const double cost = Rounded(phases.compile + phases.verify + phases.measure);
  if (!measurement.ok()) return {FailedEvaluationResult(measurement.outcome), cost};
  const RatioInterval& ratio = measurement.timing->ratio;
  TableRow row = {{Outcome::kOk,
                   {Rounded(ratio.median), Rounded(ratio.low), Rounded(ratio.high)},
                   Rounded(measurement.timing->seconds)},
                  cost};
  row.samples = SamplesOf(*measurement.timing, row.evaluation);
  return row;
}

Table AssembleTable(const TablePlan& plan, const std::map<Key, Record>& records,
                    const TableMaking& making) {
  std::vector<TableRow> rows;
  for (const ScheduleState& state : plan.states) {
    rows.push_back(RowOf(records.at(StateKey(state)).measurement));
  }
  TableFacts facts = FactsOf(plan, records);
  facts.seed = making.seed;
  facts.protocol = making.protocol;
  facts.command = making.command;
  return {plan.states.front().shared_task(), std::move(facts), std::move(rows), plan.shape};
}

std::map<Key, Record> MeasurePlan(Session& session, const TablePlan& plan, const TableTiming& table,
                                  const InterruptScope& interrupt) {
  const auto task = plan.states.front().shared_task();
  const Protocol timing = MakeProtocol(RequireSpec("--protocol", table.protocol));
  const auto note = [&](const std::string& line) { session.report().Note(line); };
  const auto measurer = [&] { return MeasurerOfHost(task->target, timing, session.seed(), note); };
  const Manner manner = {ProtocolText(timing), MeasuringToolchain(task->target)};
  const auto store = session.WriteStore();
  const Key key = TaskKey(*task);
  const std::vector<ScheduleState> distinct = DistinctStates(plan);
  std::vector<ScheduleState> left = Unsettled(distinct, RecordsOf(*store, key, manner));
  session.report().Note("table of " + std::to_string(plan.states.size()) + " points, " +
                        std::to_string(distinct.size()) + " schedules, of which " +
                        std::to_string(left.size()) + " are to be measured");
  const auto measure = [&](Measurer& with, const std::string& note) {
    ListedAgent agent(left, note);
    const TunerOptions options = OptionsOf(session, plan, manner, left.size(), interrupt);
    const auto scheduler = MakeTaskScheduler(
        {"round_robin", {}}, {.tasks = {{.flops = CountFlops(task->dag)}}, .batch = options.batch});
    TableReporter reporter(session, options.request.trials);
    const CalendarClock calendar;
    interrupt.Promise(kThinkingSeconds);
    Tune({{task}}, {agent}, options,
         {with, *store, *scheduler, reporter, session.clock(), calendar});
  };
  InterruptibleMeasurer once(measurer(), interrupt);
  for (int pass = 0; pass < kPasses && !left.empty() && !interrupt.exit_code(); ++pass) {
    measure(once, "");
    left = Unsettled(distinct, RecordsOf(*store, key, manner));
  }
  FinalistMeasurer again(std::make_unique<InterruptibleMeasurer>(measurer(), interrupt));
  for (int pass = 0; pass < kMostRetimed && !interrupt.exit_code(); ++pass) {
    left = ToRetime(distinct, RecordsOf(*store, key, manner), table.retime);
    if (left.empty()) break;
    session.report().Note(std::to_string(left.size()) + " of the best are timed again");
    measure(again, kRetimed);
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
