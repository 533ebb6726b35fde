// RandomGpuSchedule: schedules for a GPU that no space would draw.
#pragma once

#include <memory>

#include "env/base/rng.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Legal steps at random: splits that need not divide, other orders, places within readers, copies
// in shared and local memory, and loops of blocks, threads and virtual threads. What Check allows
// may still be no program that a block of threads can run.
ScheduleState RandomGpuSchedule(const std::shared_ptr<const Task>& task, Rng& rng);

}  // namespace schedulegym
