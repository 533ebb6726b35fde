// Shrunk tasks: the computation of a task at small awkward extents, on which what is right at the
// task's own must be right too.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "env/program/task.h"

namespace schedulegym {

// At most `most` of four, each with at most 10^6 flops: first prime extents, then some that are 1
// or less than a usual tile; then both again with more room for packs, where those are too small.
// The workload that the task's name spells, or the `.dag` file where that has parameters, is made
// again with others for whatever is not small already; tensors, axes and types stay. None where the
// name is no such workload, or spells another computation.
std::vector<std::shared_ptr<const Task>> ShrunkTasks(const Task& task, size_t most = 2);

}  // namespace schedulegym
