#include "assembly/environment_request.h"

#include <algorithm>

#include "agents/cost/boosted_cost_model.h"
#include "assembly/measuring/host_judge.h"
#include "assembly/measuring/host_plan.h"
#include "backends/runner/host_measurer.h"
#include "env/base/fault.h"
#include "env/base/required_spec.h"
#include "env/base/text.h"
#include "env/gym/actions/construct_space.h"
#include "env/gym/actions/modify_space.h"
#include "env/gym/evaluators/analytical_judge.h"
#include "env/gym/evaluators/buildable_judge.h"
#include "env/gym/evaluators/measurement_recorder.h"
#include "env/gym/evaluators/model_judge.h"
#include "env/gym/tables/table_file.h"
#include "env/gym/tables/table_judge.h"
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

std::vector<ScheduleState> References(const EnvironmentRequest& request) {
  std::vector<ScheduleState> references;
  for (const auto& task : request.tasks) references.push_back(ReferenceSchedule(task));
  return references;
}

std::unique_ptr<CostModel> LoadModel(const std::string& path, ModelFeatures features) {
  auto model =
      std::make_unique<BoostedCostModel>(TrainingCadence::kAlways, BoostingOptions(), features);
  model->Load(path);
  return model;
}

// Of whichever features the file was trained on.
std::unique_ptr<CostModel> LoadModel(const std::string& path) {
  try {
    return LoadModel(path, ModelFeatures::kEstimated);
  } catch (const InputError& fault) {
    try {
      return LoadModel(path, ModelFeatures::kAnsor);
    } catch (const InputError&) {
      throw fault;
    }
  }
}

std::unique_ptr<Judge> MakeModelAlone(const EnvironmentRequest& request) {
  const std::vector<ScheduleState> references = References(request);
  if (request.model == "analytical") return std::make_unique<AnalyticalJudge>(references);
  return std::make_unique<ModelJudge>(request.model, LoadModel(request.model), references);
}

// Construct starts from no space's sketches, and is bound as the default space is.
std::shared_ptr<Judge> MakeModelJudge(const EnvironmentRequest& request) {
  const bool modifies = request.actions == "modify";
  const Spec space = RequireSpec("space", modifies ? request.space : "schedulegym");
  CodeLimits limits;
  for (const auto& task : request.tasks) limits.Set(task, MostCodeIn(space, task));
  return std::make_shared<BuildableJudge>(MakeModelAlone(request), std::move(limits));
}

// Checks before each turn, and records where there is a store.
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
  void OnSentinels(std::span<const Sentinel> sentinels) override {
    if (recorder_) recorder_->OnSentinels(sentinels);
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

std::shared_ptr<Judge> MakeHostJudge(const EnvironmentRequest& request) {
  const Target target = request.tasks.front()->target;
  for (const auto& task : request.tasks) {
    if (task->target == target) continue;
    throw InputError("workload: found tasks of several targets, expected one target");
  }
  const Protocol protocol = MakeProtocol(RequireSpec("protocol", request.protocol));
  RequireMeasurable(target);
  const uint64_t seed = request.measuring_seed;
  const RecordedAs labels = LabelsOf(request);
  const auto make = [target, protocol, seed, labels, check = request.check,
                     open = request.open_store] {
    // The store first: what cannot be recorded is not measured.
    auto observer = std::make_unique<RequestObserver>(check, open ? open() : nullptr, labels);
    return HostMeasuring{MeasurerOfHost(target, protocol, seed), std::move(observer)};
  };
  return std::make_shared<HostJudge>(make);
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
  const auto judge = std::make_shared<TableJudge>(table);
  parts.clock = [judge] { return judge->clock_seconds(); };
  parts.judge = judge;
}

}  // namespace

void RequireMeasurable(const Target& target) {
  try {
    CheckMeasurable(target);
  } catch (const MachineError& fault) {
    throw MachineError(std::string(fault.what()) +
                       "; a measured environment needs it, those of the ids with Model or Table in "
                       "their names do not");
  }
}

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
  parts->actions = MakeActions(request, catalog);
  parts->judge = request.source == "measured" ? MakeHostJudge(request) : MakeModelJudge(request);
  return parts;
}

}  // namespace schedulegym
