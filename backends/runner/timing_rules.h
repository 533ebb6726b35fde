// Timing rules: what must hold of a timing before anybody believes it.
#pragma once

#include <optional>

#include "backends/runner/verification/failure.h"
#include "env/measure/measurement.h"
#include "env/program/task.h"

namespace schedulegym {

// Less than a call can take on the task's target: its operations at the rate of units that no core
// has, and its outputs, every byte of which is written, at more than the first cache takes. How
// much of the inputs must be read nobody knows.
double LeastSeconds(const Task& task);

// A parallel kernel that kept less than its share of the cores busy did not get them: threads that
// share a core go unnoticed otherwise.
bool IsShortOfThreads(bool is_parallel, int cores, double cpu_per_wall);

// Too vague to tell whether it is the best: what is surely slower needs no precision.
bool IsNoisy(const Timing& timing, std::optional<double> best_ratio);

// kImpossibleTime or kNoisy; nothing when it may be believed.
std::optional<Failure> CheckTiming(const Timing& timing, double least_seconds,
                                   std::optional<double> best_ratio);

}  // namespace schedulegym
