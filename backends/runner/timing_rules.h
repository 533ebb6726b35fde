// Timing rules: what must hold of a timing before anybody believes it.
#pragma once

#include <optional>

#include "backends/runner/failure.h"
#include "env/measure/measurement.h"
#include "env/program/task.h"

namespace schedulegym {

// More flops a second than the target can do; operations that are skipped count as done.
double MostFlopsPerSecond(const Task& task);

// A parallel kernel that kept less than its share of the cores busy did not get them: threads that
// share a core go unnoticed otherwise.
bool IsShortOfThreads(bool is_parallel, int cores, double cpu_per_wall);

// Too vague to tell whether it is the best: what is surely slower needs no precision.
bool IsNoisy(const Timing& timing, std::optional<double> best_ratio);

// kImpossibleTime or kNoisy; nothing when it may be believed.
std::optional<Failure> CheckTiming(const Timing& timing, double flops, double most_flops_per_second,
                                   std::optional<double> best_ratio);

}  // namespace schedulegym
