// ReferenceSchedule: the fixed schedule of a task with which its candidates are compared.
#pragma once

#include <memory>

#include "env/schedule/state.h"

namespace schedulegym {

// Accepts any computation; deterministic. On a GPU it is a sketch of `ansor` with fixed tiles. If
// this fails, a simpler schedule is used, and finally the naive program.
ScheduleState ReferenceSchedule(std::shared_ptr<const Task> task);

}  // namespace schedulegym
