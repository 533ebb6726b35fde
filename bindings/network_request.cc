#include "bindings/network_request.h"

#include "agents/builtin_agents.h"
#include "backends/interpreter/interpreter.h"
#include "backends/runner/host_measurer.h"
#include "bindings/bindings_internal.h"
#include "bindings/gym_request.h"
#include "bindings/lazy_measurer.h"
#include "env/base/text.h"
#include "env/gym/analytical_measurer.h"
#include "env/gym/table_file.h"
#include "env/gym/table_measurer.h"
#include "env/gym/table_search_space.h"
#include "spaces/builtin_spaces.h"
#include "spaces/reference.h"

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
  if (!request.tables.empty()) {
    throw InputError("table: found one with source '" + request.source +
                     "', expected source 'table'");
  }
  if (request.tasks.empty()) throw InputError("workload: found none, expected at least one");
  for (const auto& [task, count] : request.tasks) AddTask(task, count, parts);
}

std::shared_ptr<const RecordedStates> ReadStates(const std::string& path) {
  auto table = std::make_shared<const Table>(ReadTable(path));
  if (table->facts().reference_seconds <= 0) {
    throw InputError("table " + path + ": found no time of the reference schedule, expected one");
  }
  try {
    return std::make_shared<const RecordedStates>(std::move(table));
  } catch (const InputError& fault) {
    throw InputError("table " + path + ": " + fault.what());
  }
}

// Their tasks, space and measurer.
void AddTables(const NetworkRequest& request, NetworkParts& parts) {
  if (!request.tasks.empty()) {
    throw InputError("workload: found one with source 'table', expected tables alone");
  }
  if (request.tables.empty()) throw InputError("table: found none, expected at least one");
  std::vector<std::shared_ptr<const RecordedStates>> all;
  std::vector<TableMeasurer::Recorded> recorded;
  for (const auto& [path, count] : request.tables) {
    auto states = ReadStates(path);
    if (request.target) CheckIsFor(states->table(), *request.target);
    for (const auto& other : all) {
      if (TaskKey(*other->table().task()) != TaskKey(*states->table().task())) continue;
      throw InputError("table " + path + ": found a second one of " + states->table().task()->name +
                       ", expected each workload once");
    }
    AddTask(states->table().task(), count, parts);
    recorded.push_back({states, parts.tasks.back().reference});
    all.push_back(std::move(states));
  }
  const auto measurer = std::make_shared<TableMeasurer>(recorded);
  parts.space = MakeTableSearchSpace(std::move(all));
  parts.clock = [measurer] { return measurer->clock_seconds(); };
  parts.measurer = measurer;
}

std::shared_ptr<Measurer> MakeModelMeasurer(const NetworkParts& parts) {
  std::vector<ScheduleState> references;
  for (const NetworkTask& task : parts.tasks) references.push_back(task.reference);
  return std::make_shared<AnalyticalMeasurer>(references);
}

std::shared_ptr<Measurer> MakeMeasuringMeasurer(const NetworkRequest& request) {
  const Target target = request.tasks.front().first->target;
  const Protocol protocol = MakeProtocol(ToSpec("protocol", request.protocol));
  RequireMeasurable(target);
  const uint64_t seed = request.measuring_seed;
  return std::make_shared<LazyMeasurer>([target, protocol, seed] {
    return MakeHostMeasurer(target, {protocol, seed, ReferenceSchedule, MakeInterpreter});
  });
}

}  // namespace

std::shared_ptr<const NetworkParts> MakeNetworkParts(const NetworkRequest& request) {
  const bool is_measured = request.source == "measured";
  const bool is_recorded = request.source == "table";
  if (!is_measured && !is_recorded && request.source != "model") {
    throw InputError(UnknownName("source", request.source, {"model", "measured", "table"}));
  }
  auto parts = std::make_shared<NetworkParts>();
  if (is_recorded) {
    AddTables(request, *parts);
  } else {
    AddTasks(request, *parts);
    parts->space = MakeSpace(ToSpec("space", request.space));
    parts->measurer = is_measured ? MakeMeasuringMeasurer(request) : MakeModelMeasurer(*parts);
  }
  const Spec agent = ToSpec("agent", request.agent);
  parts->agent = agent.ToText();
  parts->make_agent = [agent](AgentContext context) {
    return MakeAgent(agent, std::move(context));
  };
  parts->reward = MakeReward(ToSpec("reward", request.reward));
  parts->slots = request.slots;
  parts->batch = request.batch;
  parts->warm_up = request.warm_up;
  parts->rows = request.max_tasks.value_or(static_cast<int>(parts->tasks.size()));
  CheckNetwork(*parts);
  parts->repeats = !is_measured;
  return parts;
}

}  // namespace schedulegym
