// AgentSetup: what a run is, as plain data; an agent in another process gets the same.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "env/base/spec.h"
#include "env/program/task.h"

namespace schedulegym {

struct SearchTask {
  std::shared_ptr<const Task> task;
  double weight = 1;  // how often the network runs it
};

// What a search may spend over all tasks.
struct Budget {
  int64_t trials = 0;
  std::optional<double> seconds = {};
};

struct AgentSetup {
  Spec agent;
  Spec space;
  std::vector<SearchTask> tasks;      // none where only the specs are to be checked
  std::optional<Budget> budget = {};  // where it is known
  uint64_t seed = 0;                  // of the run
};

}  // namespace schedulegym
