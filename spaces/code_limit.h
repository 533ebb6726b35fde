// How much code a schedule may make, by the space it is of.
#pragma once

#include <memory>

#include "env/base/spec.h"
#include "env/program/task.h"

namespace schedulegym {

// `most` operations (env/lower/code_size.h), or more where the task's reference schedule makes
// much itself: what cannot be had in less, such as long rows of padding conditions.
double MostCodeOf(const std::shared_ptr<const Task>& task, double most);

// The same, by the option `code` of a space, or that option's default. Throws InputError for an
// unknown space.
double MostCodeIn(const Spec& space, const std::shared_ptr<const Task>& task);

}  // namespace schedulegym
