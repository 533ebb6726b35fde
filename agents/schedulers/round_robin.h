// The task scheduler `round_robin`: every unfinished task in turn.
#pragma once

#include <memory>

#include "agents/task_scheduler.h"

namespace schedulegym {

std::unique_ptr<TaskScheduler> MakeRoundRobin(const Spec& spec, const SchedulerContext& context);

}  // namespace schedulegym
