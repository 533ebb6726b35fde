// The task scheduler `random`: a task by chance, among those with something left of equal shares.
#pragma once

#include <memory>

#include "agents/task_scheduler.h"

namespace schedulegym {

// Option `slot` (slot.h). Throws InputError for a bad one.
std::unique_ptr<TaskScheduler> MakeRandomOrder(const Spec& spec, const SchedulerContext& context);

}  // namespace schedulegym
