// ReferenceSchedule: the fixed schedule of a task with which its candidates are compared.
#pragma once

#include <memory>

#include "env/schedule/state.h"

namespace schedulegym {

// Of any computation; the same each time. On a GPU a sketch of `ansor` with fixed tiles. Where this
// leads nowhere, a plainer one, and in the end the naive program.
ScheduleState ReferenceSchedule(std::shared_ptr<const Task> task);

}  // namespace schedulegym
