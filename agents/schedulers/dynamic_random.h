// The task scheduler `dynamic_random`: slots by chance among the tasks that go on.
#pragma once

#include <memory>

#include "agents/task_scheduler.h"

namespace schedulegym {

// Options: `slot` (slot.h), and `task_patience`, trials without a gain after which a task retires
// (0: endless). Throws InputError for a bad one.
std::unique_ptr<TaskScheduler> MakeDynamicRandom(const Spec& spec, const SchedulerContext& context);

}  // namespace schedulegym
