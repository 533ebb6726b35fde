// Makes tasks of words as they are typed; equal ones, by their keys, are one. A drawn task has each
// number of at least 8 times 4^u, u even in [-1, 1], rounded to the nearest 1, 3, 5 or 7 times a
// power of two; up to 50 draws, until sizes go together.
#include "env/program/workloads/task_list.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/program/workloads/builtin_files.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

constexpr int64_t kLeast = 8;
constexpr double kMostTimes = 4;
constexpr int kDraws = 50;

// The nearest on a scale of logarithms.
int64_t Rounded(double size) {
  int64_t nearest = 1;
  for (const int64_t odd : {1, 3, 5, 7}) {
    const double log2_scaled =
        std::max(0.0, std::round(std::log2(size / static_cast<double>(odd))));
    const int64_t rounded = odd << static_cast<int>(log2_scaled);
    const auto distance = [&](int64_t to) {
      return std::abs(std::log(size / static_cast<double>(to)));
    };
    if (distance(rounded) < distance(nearest)) nearest = rounded;
  }
  return nearest;
}

// False where the workload has no number to draw.
bool Draw(Spec& workload, Rng& rng) {
  bool has_drawn = false;
  for (SpecOption& option : workload.options) {
    auto* size = std::get_if<int64_t>(&option.value.value);
    if (size == nullptr || *size < kLeast) continue;
    const double times = std::pow(kMostTimes, 2 * rng.Uniform() - 1);
    *size = Rounded(static_cast<double>(*size) * times);
    has_drawn = true;
  }
  return has_drawn;
}

// Throws InputError for a name that is neither a workload's, a network's nor a list's, with all of
// these.
void CheckName(const std::string& word) {
  const Result<Spec> workload = ParseWorkload(word);
  if (!workload || IsWorkload(workload->name)) return;
  std::vector<std::string> names = BuiltinWorkloads().names();
  for (const std::string& network : BuiltinNetworks().names()) names.push_back(network);
  for (const BuiltinFile& file : BuiltinTaskFiles()) names.emplace_back(file.name);
  throw InputError(UnknownName("workload", workload->name, names) +
                   ", or a path that ends in .dag or .net");
}

}  // namespace

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
      CheckName(word);
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

std::shared_ptr<const Task> DrawTask(const std::shared_ptr<const Task>& task, Rng& rng) {
  const Result<Spec> workload = ParseWorkload(task->name);
  if (!workload) return task;
  for (int draw = 0; draw < kDraws; ++draw) {
    Spec drawn = *workload;
    if (!Draw(drawn, rng)) break;
    try {
      return MakeTask(drawn, task->target);
    } catch (const InputError&) {
      continue;  // sizes that do not go together
    }
  }
  return task;
}

}  // namespace schedulegym
