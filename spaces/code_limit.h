// CodeLimit: the limit on a schedule's code size, by space.
#pragma once

#include <memory>

#include "env/base/spec.h"
#include "env/program/task.h"

namespace schedulegym {

// Returns `most` operations (env/lower/code_size.h), or more if the task's reference schedule is
// large itself: some tasks need much code, such as long rows of padding conditions.
double MostCodeOf(const std::shared_ptr<const Task>& task, double most);

// The same with the option `code` of a space, or that option's default. Throws InputError for an
// unknown space.
double MostCodeIn(const Spec& space, const std::shared_ptr<const Task>& task);

}  // namespace schedulegym
