// The task scheduler `swucb`: HARL's; a sliding-window bandit picks the task of each turn.
#pragma once

#include <memory>

#include "agents/task_scheduler.h"

namespace schedulegym {

inline constexpr const char* kSwucbParameters =
    "window=256, exploration=0.25, alpha=0.2, beta=2, rounds=3, model=FILE";

// Options: the bandit's window and constant (sliding_window_bandit.h), Ansor's alpha and beta and
// the rounds that its backward slope looks back (curve_slopes.h), by which a task's reward is
// estimated, and a file of tune --save-model from which the bandit goes on. Throws
// InputError for one out of range.
std::unique_ptr<TaskScheduler> MakeSwucb(const Spec& spec, const SchedulerContext& context);

}  // namespace schedulegym
