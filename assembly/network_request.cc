#include "assembly/network_request.h"

#include "agents/schedulers/simulation/curve_file.h"
#include "agents/schedulers/simulation/curves_by_task.h"
#include "agents/schedulers/simulation/problem.h"
#include "assembly/environment_request.h"
#include "assembly/measuring/lazy_measurer.h"
#include "assembly/plugins.h"
#include "env/base/fault.h"
#include "env/base/required_spec.h"
#include "env/base/text.h"
#include "env/gym/tables/table_file.h"
#include "env/gym/tables/table_measurer.h"
#include "env/gym/tables/table_search_space.h"
#include "spaces/schedulegym/reference.h"

namespace schedulegym {
namespace {

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
  const auto measurer = std::make_shared<TableMeasurer>(recorded);
  parts.space = MakeTableSearchSpace(std::move(all));
  parts.clock = [measurer] { return measurer->clock_seconds(); };
  parts.measurer = measurer;
}

// Their tasks; what is asked for beside them proposes nothing here.
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

// Measuring waits until it is asked for: no worker is started before.
void AddMeasurer(const NetworkRequest& request, const Catalog& catalog, NetworkParts& parts) {
  const bool is_measured = request.source == "measured";
  const Spec spec = {is_measured ? "host" : "analytical", {}};
  const auto plan = catalog.measurers.Find(spec)(spec);
  MeasurerSetup setup = {.protocol = MakeProtocol(RequireSpec("protocol", request.protocol)),
                         .seed = request.measuring_seed};
  for (const NetworkTask& task : parts.tasks) setup.tasks.push_back(task.task);
  if (is_measured) RequireMeasurable(setup.tasks.front()->target);
  if (!is_measured) {
    parts.measurer = plan->Make(setup);
    return;
  }
  const auto measurer = std::make_shared<LazyMeasurer>([plan, setup] { return plan->Make(setup); });
  parts.rest = [measurer] { measurer->Rest(); };
  parts.measurer = measurer;
}

std::shared_ptr<const AgentMaker> AgentsWith(const std::vector<std::string>& plugins,
                                             Catalog catalog) {
  AddPlugins(plugins, catalog);
  return AgentsOf(catalog);
}

}  // namespace

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
