// Work: how long a nest should take, and how its outer loops are shared among cores.
#pragma once

#include <cstdint>
#include <vector>

#include "spaces/draft.h"
#include "spaces/nest_facts.h"

namespace schedulegym {

// Below so many seconds of one core a nest stays serial.
inline constexpr double kWorthThreads = 8e-6;

// Of one core, from arithmetic and memory traffic of a stage computed whole; rough.
double EstimateSeconds(const ScheduleState& state, int stage);

// How many of the first loops, of these extents, to fuse so that the cores are busy alike.
int BalancedPrefix(const std::vector<int64_t>& extents, int cores);

// Fuses the first loops of a stage at the root, as far as they are spatial and plain and leave
// `keep` loops, and makes them parallel; nothing where the work is small.
void ParallelizeOuter(Draft& draft, int stage, int keep);

}  // namespace schedulegym
