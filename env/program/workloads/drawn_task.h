// Drawn task: one like another, of other sizes.
#pragma once

#include <memory>

#include "env/base/rng.h"
#include "env/program/task.h"

namespace schedulegym {

// Of a workload's numbers those of at least 8 are drawn anew, between a quarter of each and four
// times it, evenly on a scale of logarithms, and rounded to a power of two times 1, 3, 5 or 7, as
// networks have them; smaller ones, such as kernels, strides and batches, stay. The task itself
// where it has no such number, or where nothing that was drawn is a computation that fits.
std::shared_ptr<const Task> DrawTask(const std::shared_ptr<const Task>& task, Rng& rng);

}  // namespace schedulegym
