// TaskList: workloads as they are typed, made into tasks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/base/rng.h"
#include "env/program/targets/target.h"
#include "env/program/task.h"
#include "env/program/workloads/network.h"

namespace schedulegym {

// Throws InputError for what does not fit into the target's memory, too.
std::shared_ptr<const Task> MakeTask(const Spec& workload, const Target& target);
// Of a workload as it is typed.
std::shared_ptr<const Task> LoadTask(const std::string& word, const Target& target);

// Of a line of a network; what is wrong with it is said with the network's word and the line.
std::shared_ptr<const Task> LoadLayer(const std::string& network, const WeightedWorkload& layer,
                                      const Target& target);

struct CountedTask {
  std::shared_ptr<const Task> task;
  int64_t count = 1;            // how often it occurs
  std::vector<int64_t> counts;  // the same by network, as many as there are
};

struct TaskList {
  std::vector<CountedTask> tasks;  // in order of appearance; equal ones are one, their counts added
  bool has_network = false;        // a network was among the words
  // As typed: what is none is a network of one task.
  std::vector<std::string> networks;
  std::map<Key, size_t> positions;  // of the tasks, by their keys
};

// To the last network, which is begun if there is none.
void AddTask(std::shared_ptr<const Task> task, int64_t count, TaskList& list);

// Specs, `.dag` files, and networks by name or as `.net` files. Throws InputError.
TaskList LoadTasks(const std::vector<std::string>& words, const Target& target);

// Of a workload's numbers those of at least 8 are drawn anew, between a quarter of each and four
// times it, evenly on a scale of logarithms, and rounded to a power of two times 1, 3, 5 or 7, as
// networks have them; smaller ones, such as kernels, strides and batches, stay. The task itself
// where it has no such number, or where nothing that was drawn is a computation that fits.
std::shared_ptr<const Task> DrawTask(const std::shared_ptr<const Task>& task, Rng& rng);

}  // namespace schedulegym
