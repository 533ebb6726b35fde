// The task scheduler `linear`: one task after the other, each with an equal share of the budget.
#pragma once

#include <memory>

#include "agents/task_scheduler.h"

namespace schedulegym {

std::unique_ptr<TaskScheduler> MakeLinear(const Spec& spec, const SchedulerContext& context);

}  // namespace schedulegym
