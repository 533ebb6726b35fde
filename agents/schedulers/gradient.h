// The task scheduler `gradient`: Ansor's; the task next from which its network should gain most.
#pragma once

#include <memory>

#include "agents/task_scheduler.h"

namespace schedulegym {

// Options: gradient_options.h. Throws InputError for a bad one.
std::unique_ptr<TaskScheduler> MakeGradient(const Spec& spec, const SchedulerContext& context);

}  // namespace schedulegym
