#include "agents/network/network_parts.h"

#include <utility>

#include "agents/similarity.h"
#include "env/base/fault.h"
#include "env/measure/inputs.h"

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

NetworkTask::NetworkTask(ScheduleState reference_given, double weight_given)
    : task(reference_given.shared_task()),
      reference(std::move(reference_given)),
      weight(weight_given),
      tag(SimilarityTag(task->dag)) {}

void CheckNetwork(const NetworkParts& parts) {
  if (parts.tasks.empty()) throw InputError("workload: found none, expected at least one");
  CheckNumber("slots", parts.slots, 1, kMostSlots);
  CheckNumber("batch", parts.batch, 1, kMostBatch);
  CheckNumber("workload: tasks", static_cast<int>(parts.tasks.size()), 1, kMostRows);
  CheckNumber("max_tasks", parts.rows, static_cast<int>(parts.tasks.size()), kMostRows);
  const std::unique_ptr<Agent> agent = parts.make_agent({*parts.space, Rng(0)});
  for (const NetworkTask& task : parts.tasks) {
    CheckCanFill(task.task->dag);
    agent->CheckTask(task.task);
  }
}

}  // namespace schedulegym
