#include "agents/network/network_parts.h"

#include <utility>

#include "agents/schedulers/similarity.h"
#include "env/base/fault.h"
#include "env/program/analysis.h"

namespace schedulegym {
namespace {

constexpr int kMostSlots = 100000;
constexpr int kMostBatch = 4096;
constexpr int kMostRows = 1024;

void CheckNumber(const std::string& name, int number, int least, int most) {
  if (number >= least && number <= most) return;
  throw InputError(name + ": found " + std::to_string(number) + ", expected " +
                   std::to_string(least) + " to " + std::to_string(most));
}

}  // namespace

NetworkTask::NetworkTask(const ScheduleState& reference_given, double weight_given)
    : name(reference_given.shared_task()->name),
      task(reference_given.shared_task()),
      reference(reference_given),
      weight(weight_given),
      flops(CountFlops(task->dag)),
      tag(SimilarityTag(task->dag)) {}

NetworkTask::NetworkTask(const RecordedCurve& curve)
    : name(curve.task),
      weight(curve.facts.weight()),
      flops(curve.facts.flops),
      tag(curve.facts.tag) {}

AgentSetup SetupOf(const NetworkParts& parts) {
  AgentSetup setup;
  setup.agent = parts.agent;
  setup.space = ParseSpec(parts.space->Name()).value();
  for (const NetworkTask& task : parts.tasks) setup.tasks.push_back({task.task, task.weight});
  const int64_t warm_up = parts.warm_up ? std::ssize(parts.tasks) : 0;
  setup.budget = Budget{(parts.slots + warm_up) * parts.batch};
  return setup;
}

void CheckNetwork(const NetworkParts& parts) {
  if (parts.tasks.empty()) throw InputError("workload: found none, expected at least one");
  CheckNumber("slots", parts.slots, 1, kMostSlots);
  CheckNumber("batch", parts.batch, 1, kMostBatch);
  CheckNumber("workload: tasks", static_cast<int>(parts.tasks.size()), 1, kMostRows);
  CheckNumber("max_tasks", parts.rows, static_cast<int>(parts.tasks.size()), kMostRows);
  if (!parts.curves.empty()) return;
  const AgentSetup setup = SetupOf(parts);
  const SteadyClock clock;
  parts.maker->Make({setup, *parts.space, Rng(0), *parts.maker, clock});
}

}  // namespace schedulegym
