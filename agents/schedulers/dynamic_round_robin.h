// The task scheduler `dynamic_round_robin`: a slot for each task that goes on, in turn.
#pragma once

#include <memory>

#include "agents/task_scheduler.h"

namespace schedulegym {

// Options: `slot` (slot.h), and `task_patience`, trials without a gain after which a task retires
// (0: endless). Throws InputError for a bad one.
std::unique_ptr<TaskScheduler> MakeDynamicRoundRobin(const Spec& spec,
                                                     const SchedulerContext& context);

}  // namespace schedulegym
