// Shrunk tasks: the computation of a task at small awkward extents, on which schedules that are
// right at the task's own extents must be right too.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "env/program/task.h"

namespace schedulegym {

// Returns at most `most` of four tasks, each with at most 10^6 flops. The first has prime extents,
// the second some extents that are 1 or less than a usual tile. The others repeat both with more
// room for packs, where those are too small. The task's name must be a workload, or a `.dag` file
// with parameters; it is made again with smaller values for the large ones. Tensors, axes and types
// stay. Empty if the name is no such workload, or of another computation.
std::vector<std::shared_ptr<const Task>> ShrunkTasks(const Task& task, size_t most = 2);

}  // namespace schedulegym
