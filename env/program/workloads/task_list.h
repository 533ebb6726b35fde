// TaskList: converts workloads, as users type them, to tasks.
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

// Also throws InputError if the workload does not fit into the target's memory (CheckFits).
std::shared_ptr<const Task> MakeTask(const Spec& workload, const Target& target);
// Makes the task of a workload as a user types it.
std::shared_ptr<const Task> LoadTask(const std::string& word, const Target& target);

// Makes the task of a line of a network. Errors begin with the network's word and the line.
std::shared_ptr<const Task> LoadLayer(const std::string& network, const WeightedWorkload& layer,
                                      const Target& target);

struct CountedTask {
  std::shared_ptr<const Task> task;
  int64_t count = 1;            // how often it occurs
  std::vector<int64_t> counts;  // `count` by network, as long as the list of networks
};

struct TaskList {
  std::vector<CountedTask> tasks;  // in order of appearance; equal tasks are merged, counts added
  bool has_network = false;        // a network was among the words
  // As typed. A word that is no network counts as a network of one task.
  std::vector<std::string> networks;
  std::map<Key, size_t> positions;  // positions of the tasks by their keys
};

// Adds a task to the last network, or to a new one if there is none.
void AddTask(std::shared_ptr<const Task> task, int64_t count, TaskList& list);

// Loads specs, `.dag` files, and networks by name or as `.net` files. Throws InputError.
TaskList LoadTasks(const std::vector<std::string>& words, const Target& target);

// Draws a task of other sizes. Each number of at least 8 is redrawn log-uniformly between a quarter
// of it and four times it, and rounded to a power of two times 1, 3, 5 or 7, as networks have them.
// Smaller ones, such as kernels, strides and batches, stay. Returns the task itself if it has no
// such number, or if no draw is a computation that fits.
std::shared_ptr<const Task> DrawTask(const std::shared_ptr<const Task>& task, Rng& rng);

}  // namespace schedulegym
