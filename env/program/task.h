// Task: a computation on a target; the unit of tuning.
#pragma once

#include <string>

#include "env/base/hash.h"
#include "env/program/compute_dag.h"
#include "env/program/targets/target.h"

namespace schedulegym {

struct Task {
  ComputeDag dag;
  Target target;
  std::string name;  // as the user typed it; not part of the key
};

// Covers DAG, backend, CPU name, features, cores, cache state, and the facts of a GPU.
Key TaskKey(const Task& task);

}  // namespace schedulegym
