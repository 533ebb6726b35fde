// The task scheduler `dynatune`: slots for the task whose curve promises most.
#pragma once

#include <memory>

#include "agents/task_scheduler.h"

namespace schedulegym {

// Options: dynatune_options.h. Throws InputError for a bad one.
std::unique_ptr<TaskScheduler> MakeDynatune(const Spec& spec, const SchedulerContext& context);

}  // namespace schedulegym
