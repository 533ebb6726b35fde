#include "bindings/network_request.h"

#include "agents/builtin_agents.h"
#include "backends/interpreter/interpreter.h"
#include "backends/runner/host_measurer.h"
#include "bindings/bindings_internal.h"
#include "bindings/lazy_measurer.h"
#include "env/base/text.h"
#include "env/gym/analytical_measurer.h"
#include "spaces/builtin_spaces.h"
#include "spaces/reference.h"

namespace schedulegym {
namespace {

void AddTasks(const NetworkRequest& request, NetworkParts& parts) {
  if (request.tasks.empty()) throw InputError("workload: found none, expected at least one");
  for (const auto& [task, count] : request.tasks) {
    if (count < 1) {
      throw InputError("workload: found " + task->name + " " + std::to_string(count) +
                       " times, expected at least once");
    }
    if (task->target != request.tasks.front().first->target) {
      throw InputError("workload: found tasks of several targets, expected one target");
    }
    parts.tasks.emplace_back(ReferenceSchedule(task), static_cast<double>(count));
  }
}

std::shared_ptr<Measurer> MakeModelMeasurer(const NetworkParts& parts) {
  std::vector<ScheduleState> references;
  for (const NetworkTask& task : parts.tasks) references.push_back(task.reference);
  return std::make_shared<AnalyticalMeasurer>(references);
}

std::shared_ptr<Measurer> MakeMeasuringMeasurer(const NetworkRequest& request) {
  const Target target = request.tasks.front().first->target;
  const Protocol protocol = MakeProtocol(ToSpec("protocol", request.protocol));
  CheckMeasurable(target);
  const uint64_t seed = request.measuring_seed;
  return std::make_shared<LazyMeasurer>([target, protocol, seed] {
    return MakeHostMeasurer(target, {protocol, seed, ReferenceSchedule, MakeInterpreter});
  });
}

}  // namespace

std::shared_ptr<const NetworkParts> MakeNetworkParts(const NetworkRequest& request) {
  const bool is_measured = request.source == "measured";
  if (!is_measured && request.source != "model") {
    throw InputError(UnknownName("source", request.source, {"model", "measured"}));
  }
  auto parts = std::make_shared<NetworkParts>();
  AddTasks(request, *parts);
  parts->space = MakeSpace(ToSpec("space", request.space));
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
  parts->measurer = is_measured ? MakeMeasuringMeasurer(request) : MakeModelMeasurer(*parts);
  return parts;
}

}  // namespace schedulegym
