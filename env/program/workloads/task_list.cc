#include "env/program/workloads/task_list.h"

#include <algorithm>

#include "env/base/fault.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {

std::shared_ptr<const Task> MakeTask(const Spec& workload, const Target& target) {
  ComputeDag dag = MakeWorkload(workload);
  CheckFits(dag, target);
  return std::make_shared<const Task>(Task{std::move(dag), target, workload.ToText()});
}

std::shared_ptr<const Task> LoadTask(const std::string& word, const Target& target) {
  const Result<Spec> workload = ParseWorkload(word);
  if (!workload) throw InputError("workload '" + word + "': " + workload.error().message);
  return MakeTask(*workload, target);
}

std::shared_ptr<const Task> LoadLayer(const std::string& network, const WeightedWorkload& layer,
                                      const Target& target) {
  try {
    return MakeTask(layer.workload, target);
  } catch (const InputError& fault) {
    throw InputError(network + ":" + std::to_string(layer.line) + ": " + fault.what());
  }
}

void AddTask(std::shared_ptr<const Task> task, int64_t count, TaskList& list) {
  if (list.networks.empty()) list.networks.emplace_back();
  const auto [known, is_new] = list.positions.emplace(TaskKey(*task), list.tasks.size());
  if (is_new) list.tasks.push_back({std::move(task), 0, {}});
  for (CountedTask& each : list.tasks) each.counts.resize(list.networks.size());
  CountedTask& same = list.tasks[known->second];
  same.count += count;
  same.counts.back() += count;
}

TaskList LoadTasks(const std::vector<std::string>& words, const Target& target) {
  TaskList list;
  for (const std::string& word : words) {
    list.networks.push_back(word);
    if (!IsNetwork(word)) {
      AddTask(LoadTask(word, target), 1, list);
      continue;
    }
    list.has_network = true;
    for (const WeightedWorkload& entry : ReadNetwork(word)) {
      AddTask(LoadLayer(word, entry, target), entry.count, list);
    }
  }
  return list;
}

}  // namespace schedulegym
