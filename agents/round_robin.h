// The task scheduler `round_robin`: every unfinished task in turn.
#pragma once

#include <memory>
#include <vector>

#include "agents/task_scheduler.h"

namespace schedulegym {

std::unique_ptr<TaskScheduler> MakeRoundRobin(const Spec& spec, const std::vector<double>& weights);

}  // namespace schedulegym
