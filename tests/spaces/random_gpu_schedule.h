// RandomGpuSchedule: GPU schedules that no space draws.
#pragma once

#include <memory>

#include "env/base/rng.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Random legal steps: splits that need not divide, other orders, stages computed in their readers,
// copies in shared and local memory, and loops bound to blocks, threads and virtual threads. A
// result that Check allows may still be no program that a block of threads can run.
ScheduleState RandomGpuSchedule(const std::shared_ptr<const Task>& task, Rng& rng);

}  // namespace schedulegym
