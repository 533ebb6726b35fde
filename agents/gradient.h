// The task scheduler `gradient`: Ansor's; the task next from which its network should gain most.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "agents/task_scheduler.h"

namespace schedulegym {

// Options: gradient_options.h. Throws InputError for a bad one.
std::unique_ptr<TaskScheduler> MakeGradient(const Spec& spec, const SchedulerContext& context);

// The formulas: Zheng et al., "Ansor", OSDI 2020, section 6, and TVM's task_scheduler.py, whose
// constants are the defaults. TVM stores a gamma of 0.5 that it never uses; there is none here.

// What a round gained lately, (g[n-1] - g[n-1-window]) / window, where g[k] is the best latency
// after round k + 1 and n counts the rounds; never above 0. 0 with fewer than window + 1 rounds,
// where the history does not reach back that far, or before the first valid result.
double BackwardSlope(std::span<const std::optional<double>> history, int rounds, int window);

// What the next round may gain, min(next1, next2) - g; below 0. next1 = g - g / n hopes that n more
// rounds bring it to zero; next2 = `similar` is the latency that the group promises.
double ForwardSlope(double latency, int rounds, std::optional<double> similar);

}  // namespace schedulegym
