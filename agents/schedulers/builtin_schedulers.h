// The task schedulers without options of their own, and `swucb`: one maker each.
#pragma once

#include <memory>

#include "agents/task_scheduler.h"

namespace schedulegym {

// The task scheduler `linear`: one task after another, each with an equal share of the budget.
std::unique_ptr<TaskScheduler> MakeLinear(const Spec& spec, const SchedulerContext& context);

// Option `slot` (slot.h). Throws InputError for a bad one.
std::unique_ptr<TaskScheduler> MakeRandomOrder(const Spec& spec, const SchedulerContext& context);

// Options: `slot` (slot.h), and `task_patience`, trials without a gain after which a task retires
// (0: endless). Throws InputError for a bad one.
std::unique_ptr<TaskScheduler> MakeDynamicRandom(const Spec& spec, const SchedulerContext& context);

// The task scheduler `round_robin`: every unfinished task in turn.
std::unique_ptr<TaskScheduler> MakeRoundRobin(const Spec& spec, const SchedulerContext& context);

// Options: `slot` (slot.h), and `task_patience`, trials without a gain after which a task retires
// (0: endless). Throws InputError for a bad one.
std::unique_ptr<TaskScheduler> MakeDynamicRoundRobin(const Spec& spec,
                                                     const SchedulerContext& context);

// The task scheduler `swucb`, from HARL: a sliding-window bandit chooses the task of each turn.
inline constexpr const char* kSwucbParameters =
    "window=256, exploration=0.25, alpha=0.2, beta=2, rounds=3, model=FILE";

// Options: window and exploration of the bandit (sliding_window_bandit.h); Ansor's alpha and beta,
// and the rounds of its backward slope (curve_slopes.h), which estimate a task's reward; and a file
// of tune --save-model from which the bandit continues. Throws InputError for a value out of range.
std::unique_ptr<TaskScheduler> MakeSwucb(const Spec& spec, const SchedulerContext& context);

}  // namespace schedulegym
