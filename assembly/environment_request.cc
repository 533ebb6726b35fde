// Makes the parts of environments from a request: tasks, actions, observations, reward and what
// evaluates (a model with a limit of code, the host's measurer, a table). A cost model's file is
// read with either kind of features. Measured environments start their measurer at the first use,
// also after a fork. Networks take tasks, tables or recorded curves. Errors: InputError names the
// argument, what was found and expected; MachineError for targets that cannot be measured.
#include "assembly/environment_request.h"

#include <algorithm>

#include "agents/schedulers/simulation/curve_file.h"
#include "agents/schedulers/simulation/problem.h"
#include "agents/schedulers/simulation/recorded_curve.h"
#include "assembly/measuring/fork_local.h"
#include "assembly/measuring/measurer_factory.h"
#include "assembly/plugins.h"
#include "backends/runner/host_measurer.h"
#include "env/base/fault.h"
#include "env/base/spec.h"
#include "env/base/text.h"
#include "env/features/estimated_seconds.h"
#include "env/gym/actions/construct_space.h"
#include "env/gym/actions/modify_space.h"
#include "env/gym/evaluators/buildable_measurer.h"
#include "env/gym/evaluators/observed_measurer.h"
#include "env/gym/tables/table_file.h"
#include "env/gym/tables/table_measurer.h"
#include "env/gym/tables/table_space.h"
#include "env/gym/tables/tuner_file.h"
#include "env/measure/timing/clocks.h"
#include "spaces/builtin_spaces.h"
#include "spaces/code_limit.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {
namespace {

constexpr int kMostHorizon = 100000;

// One of some words, without options.
void CheckWord(const std::string& argument, const std::string& word,
               const std::vector<std::string>& known) {
  const bool is_known = std::find(known.begin(), known.end(), word) != known.end();
  if (!is_known) throw InputError(UnknownName(argument, word, known));
}

std::shared_ptr<const ActionSpace> MakeActions(const EnvironmentRequest& request,
                                               const Catalog& catalog) {
  CheckWord("actions", request.actions, {"construct", "modify"});
  if (request.actions == "construct")
    return MakeConstructSpace(RequireSpec("actions", "construct"));
  CheckWord("start", request.start, {"random", "origin"});
  const Spec spec = RequireSpec("space", request.space);
  const auto space = catalog.spaces.Find(spec)(spec);
  const ModifyOptions options{request.start == "random" ? ModifyStart::kRandom
                                                        : ModifyStart::kOrigin};
  const std::string name = "modify(space=" + space->Name() + ", start=" + request.start + ")";
  return MakeModifySpace(name, *space, request.tasks, options);
}

// Checks for interrupts before each turn, and records results where there is a store.
class RequestObserver : public MeasuredObserver {
 public:
  RequestObserver(std::function<void()> check, std::shared_ptr<RecordStore> store,
                  const RecordedAs& as)
      : check_(std::move(check)) {
    if (store) recorder_.emplace(std::move(store), as, calendar_);
  }

  void OnTurn() override {
    if (check_) check_();
    if (recorder_) recorder_->OnTurn();
  }
  void OnMeasured(std::span<const Candidate> candidates,
                  std::span<const Measurement> measurements) override {
    if (recorder_) recorder_->OnMeasured(candidates, measurements);
  }
  void OnControls(std::span<const ControlMeasurement> controls) override {
    if (recorder_) recorder_->OnControls(controls);
  }

 private:
  std::function<void()> check_;
  const CalendarClock calendar_;
  std::optional<MeasurementRecorder> recorder_;
};

RecordedAs LabelsOf(const EnvironmentRequest& request) {
  const bool modifies = request.actions == "modify";
  return {"gym", modifies ? RequireSpec("space", request.space).ToText() : request.actions,
          request.measuring_seed, HostName()};
}

// A path may have characters that a spec has not.
Spec RequireModel(const std::string& text) {
  const Result<Spec> spec = ParseSpec(text);
  return spec ? *spec : Spec{text, {}};
}

// The measurer that a request names, or the default of its source; not for tables.
std::shared_ptr<const MeasurerFactory> FactoryOf(const std::string& measurer,
                                                 const std::string& source,
                                                 const Catalog& catalog) {
  const Spec usual = {source == "measured" ? "host" : kAnalyticalName, {}};
  const Spec spec = measurer.empty() ? usual : RequireMeasurer("measure", measurer);
  return catalog.measurers.Find(spec)(spec);
}

std::shared_ptr<const MeasurerFactory> FactoryOf(const EnvironmentRequest& request,
                                                 const Catalog& catalog) {
  const bool is_saved = request.source == "model" && request.model != kAnalyticalName;
  if (request.measurer.empty() && is_saved) return MakePlanOfModel(RequireModel(request.model));
  return FactoryOf(request.measurer, request.source, catalog);
}

// How a table that is a source is read.
TableMeasurerOptions TableOptionsOf(const std::string& measurer, uint64_t seed) {
  TableMeasurerOptions options;
  if (!measurer.empty()) options = ReadTableChoice(RequireSpec("measure", measurer)).options;
  options.seed = seed;
  return options;
}

// Construct starts from no space's sketches, and is bound as the default space is.
std::shared_ptr<Measurer> MakePredicted(const EnvironmentRequest& request,
                                        const MeasurerFactory& factory,
                                        const MeasurerSetup& setup) {
  const bool modifies = request.actions == "modify";
  const Spec space = RequireSpec("space", modifies ? request.space : "schedulegym");
  CodeLimits limits;
  for (const auto& task : request.tasks) limits.Set(task, MostCodeIn(space, task));
  return std::make_shared<BuildableMeasurer>(factory.Make(setup), std::move(limits));
}

// Made at the first evaluation of each process.
std::shared_ptr<Measurer> MakeMeasured(const EnvironmentRequest& request,
                                       std::shared_ptr<const MeasurerFactory> factory,
                                       MeasurerSetup setup) {
  const Target target = request.tasks.front()->target;
  for (const auto& task : request.tasks) {
    if (task->target == target) continue;
    throw InputError("workload: found tasks of several targets, expected one target");
  }
  setup.protocol = MakeProtocol(RequireSpec("protocol", request.protocol));
  RequireMeasurable(target);
  return std::make_shared<LazyMeasurer>([factory = std::move(factory), setup = std::move(setup),
                                         labels = LabelsOf(request), check = request.check,
                                         open = request.open_store]() -> std::unique_ptr<Measurer> {
    // Opens the store first: without it nothing is measured.
    auto observer = std::make_shared<RequestObserver>(check, open ? open() : nullptr, labels);
    return std::make_unique<ObservedMeasurer>(factory->Make(setup), std::move(observer));
  });
}

std::shared_ptr<Measurer> MakeMeasurer(const EnvironmentRequest& request, const Catalog& catalog) {
  const auto factory = FactoryOf(request, catalog);
  const MeasurerSetup setup = {.tasks = request.tasks, .seed = request.measuring_seed};
  return factory->IsMeasured() ? MakeMeasured(request, factory, setup)
                               : MakePredicted(request, *factory, setup);
}

std::string KindOf(const Table& table) {
  if (table.tree() != nullptr) return "construct";
  return table.is_foreign() ? "file" : "modify";
}

// Where workloads are given, too, they are the table's.
void TakeTable(const EnvironmentRequest& request, EnvironmentParts& parts) {
  const auto table = std::make_shared<const Table>(ReadAnyTable(request.table, request.input));
  CheckWord("actions", request.actions, {"construct", "modify", "file"});
  if (KindOf(*table) != request.actions) {
    throw InputError("table " + request.table + ": found one for actions " + KindOf(*table) +
                     ", expected one for " + request.actions);
  }
  for (const auto& task : request.tasks) CheckIsOf(*table, *task);
  if (request.target) CheckIsFor(*table, *request.target);
  parts.tasks = {table->task()};
  parts.actions = MakeTableSpace(table);
  const auto measurer = std::make_shared<TableMeasurer>(
      table, TableOptionsOf(request.measurer, request.measuring_seed));
  parts.clock = [measurer] { return measurer->clock_seconds(); };
  parts.measurer = measurer;
}

void AddTask(const std::shared_ptr<const Task>& task, int64_t count, NetworkParts& parts) {
  if (count < 1) {
    throw InputError("workload: found " + task->name + " " + std::to_string(count) +
                     " times, expected at least once");
  }
  if (!parts.tasks.empty() && task->target != parts.tasks.front().task->target) {
    throw InputError("workload: found tasks of several targets, expected one target");
  }
  parts.tasks.emplace_back(ReferenceSchedule(task), static_cast<double>(count));
}

void AddTasks(const NetworkRequest& request, NetworkParts& parts) {
  for (const char* word : {"table", "curves"}) {
    if (word == std::string("table") ? request.tables.empty() : request.curves.empty()) continue;
    throw InputError(word + (": found one with source '" + request.source) +
                     "', expected source 'table'");
  }
  if (request.tasks.empty()) throw InputError("workload: found none, expected at least one");
  for (const auto& [task, count] : request.tasks) AddTask(task, count, parts);
}

// Their tasks, space and measurer.
void AddTables(const NetworkRequest& request, TableCache& tables, NetworkParts& parts) {
  if (!request.tasks.empty()) {
    throw InputError("workload: found one with source 'table', expected tables alone");
  }
  if (request.tables.empty()) throw InputError("table: found none, expected at least one");
  std::vector<std::shared_ptr<const RecordedStates>> all;
  std::vector<TableMeasurer::Recorded> recorded;
  for (const auto& [path, count] : request.tables) {
    auto states = tables.Read(path);
    if (request.target) CheckIsFor(states->table(), *request.target);
    for (const auto& other : all) {
      if (TaskKey(*other->table().task()) != TaskKey(*states->table().task())) continue;
      throw InputError("table " + path + ": found a second one of " + states->table().task()->name +
                       ", expected each workload once");
    }
    AddTask(states->table().task(), count, parts);
    recorded.push_back({states, *parts.tasks.back().reference});
    all.push_back(std::move(states));
  }
  const auto measurer = std::make_shared<TableMeasurer>(
      recorded, TableOptionsOf(request.measurer, request.measuring_seed));
  parts.space = MakeTableSearchSpace(std::move(all));
  parts.clock = [measurer] { return measurer->clock_seconds(); };
  parts.measurer = measurer;
}

// Tasks come from the curves; agent, space and batch are not used.
void AddCurves(const NetworkRequest& request, NetworkParts& parts) {
  if (!request.tasks.empty()) {
    throw InputError("workload: found one with curves, expected curves alone");
  }
  if (!request.tables.empty()) {
    throw InputError("table: found one with curves, expected one of the two");
  }
  if (request.target) throw InputError("target: found one with curves, which know of none");
  const std::optional<CurveHalf> half = ParseCurveHalf(request.half);
  if (!half) {
    throw InputError(UnknownName("half", request.half, {"all", "development", "heldout"}));
  }
  parts.curves = HalfOf(ReadCurveFiles(request.curves), *half);
  if (parts.curves.empty()) {
    throw InputError("half: found no tasks in the half '" + request.half + "'");
  }
  parts.curves = WithLatency(parts.curves);
  if (parts.curves.empty()) {
    throw InputError("curves: found no task that ever succeeded, expected at least one");
  }
  for (const auto& task : GroupByTask(parts.curves)) parts.tasks.emplace_back(*task.front());
}

// The measurer is made at the first slot, so no worker starts before.
void AddMeasurer(const NetworkRequest& request, const Catalog& catalog, NetworkParts& parts) {
  const bool is_measured = request.source == "measured";
  const auto factory = FactoryOf(request.measurer, request.source, catalog);
  MeasurerSetup setup = {.protocol = MakeProtocol(RequireSpec("protocol", request.protocol)),
                         .seed = request.measuring_seed};
  for (const NetworkTask& task : parts.tasks) setup.tasks.push_back(task.task);
  if (is_measured) RequireMeasurable(setup.tasks.front()->target);
  if (!is_measured) {
    parts.measurer = factory->Make(setup);
    return;
  }
  const auto measurer =
      std::make_shared<LazyMeasurer>([factory, setup] { return factory->Make(setup); });
  parts.rest = [measurer] { measurer->Rest(); };
  parts.measurer = measurer;
}

std::shared_ptr<const AgentMaker> AgentsWith(const std::vector<std::string>& plugins,
                                             Catalog catalog) {
  AddPlugins(plugins, catalog);
  return AgentsOf(catalog);
}

}  // namespace

std::string SourceOf(const Spec& measurer, const Catalog& catalog) {
  if (measurer.name == kTableName) {
    ReadTableChoice(measurer);
    return "table";
  }
  return catalog.measurers.Find(measurer)(measurer)->IsMeasured() ? "measured" : "model";
}

void RequireMeasurable(const Target& target) {
  try {
    CheckMeasurable(target);
  } catch (const MachineError& fault) {
    throw MachineError(std::string(fault.what()) +
                       "; a measured environment needs it, those of the ids with Model or Table in "
                       "their names do not");
  }
}

namespace {

// On a GPU only `modify` works: the other actions, and all models but the estimate, are for
// processors.
void CheckHasActions(const EnvironmentRequest& request, const Target& target) {
  if (!target.IsGpu()) return;
  const bool is_estimated = request.source == "model";
  if (is_estimated && request.model != kAnalyticalName) {
    throw InputError(std::string("target: found '") + target.BackendName() +
                     "', for which models have no features yet, expected llvm, or the model "
                     "analytical");
  }
  if (is_estimated) CheckHasFormula(target);
  if (request.actions == "modify") return;
  throw InputError(std::string("target: found '") + target.BackendName() +
                   "', for which the actions '" + request.actions +
                   "' have no column yet, expected llvm");
}

}  // namespace

std::shared_ptr<const EnvironmentParts> MakeEnvironmentParts(const EnvironmentRequest& request,
                                                             const Catalog& catalog) {
  if (request.horizon < 1 || request.horizon > kMostHorizon) {
    throw InputError("steps: found " + std::to_string(request.horizon) + ", expected 1 to " +
                     std::to_string(kMostHorizon));
  }
  CheckWord("source", request.source, {"model", "measured", "table"});
  const bool has_table = request.source == "table";
  if (!has_table && request.tasks.empty()) {
    throw InputError("workload: found none, expected at least one");
  }
  if (request.open_store && request.source != "measured") {
    throw InputError("store: found one with source '" + request.source +
                     "', expected source 'measured': nothing else is recorded");
  }
  auto parts = std::make_shared<EnvironmentParts>();
  parts->tasks = request.tasks;
  const Spec reward = RequireSpec("reward", request.reward);
  parts->reward = catalog.rewards.Find(reward)(reward);
  parts->horizon = request.horizon;
  for (const std::string& name : request.observations) {
    const Spec observation = RequireSpec("observation", name);
    parts->observations.push_back(catalog.observations.Find(observation)(observation));
  }
  if (has_table) {
    TakeTable(request, *parts);
    return parts;
  }
  for (const auto& task : request.tasks) CheckHasActions(request, task->target);
  parts->actions = MakeActions(request, catalog);
  parts->measurer = MakeMeasurer(request, catalog);
  return parts;
}

std::shared_ptr<const NetworkParts> MakeNetworkParts(const NetworkRequest& request,
                                                     const Catalog& catalog) {
  const bool is_measured = request.source == "measured";
  const bool is_recorded = request.source == "table";
  if (!is_measured && !is_recorded && request.source != "model") {
    throw InputError(UnknownName("source", request.source, {"model", "measured", "table"}));
  }
  if (request.half != "all" && request.curves.empty()) {
    throw InputError("half: it goes with curves alone");
  }
  auto parts = std::make_shared<NetworkParts>();
  if (is_recorded && !request.curves.empty()) {
    AddCurves(request, *parts);
  } else if (is_recorded) {
    AddTables(request, *catalog.tables, *parts);
  } else {
    AddTasks(request, *parts);
    const Spec space = RequireSpec("space", request.space);
    parts->space = catalog.spaces.Find(space)(space);
    AddMeasurer(request, catalog, *parts);
  }
  parts->agent = RequireSpec("agent", request.agent);
  parts->maker = AgentsWith(request.plugins, catalog);
  const Spec reward = RequireSpec("reward", request.reward);
  parts->reward = catalog.rewards.Find(reward)(reward);
  parts->slots = request.slots;
  parts->batch = request.batch;
  parts->warm_up = request.warm_up;
  parts->rows = request.max_tasks.value_or(static_cast<int>(parts->tasks.size()));
  CheckNetwork(*parts);
  parts->repeats = !is_measured;
  return parts;
}

}  // namespace schedulegym
