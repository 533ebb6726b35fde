// Oracle: the scheduler that knows how every search will go on.
#pragma once

#include <memory>
#include <span>

#include "agents/schedulers/simulation/recorded_curve.h"

namespace schedulegym {

// Gives turns to the task whose recorded future saves most latency a second, over the best number
// of its next turns that the budget holds; none once nothing is to be saved. With an endless budget
// no order has a smaller area of latency over time (Sidney, Operations Research 23, 1975: chains of
// jobs, of which the heaviest beginnings go first). Within a limit it takes the steepest that fits,
// which is greedy: another order may end lower or have a smaller area. The curves outlive it.
std::unique_ptr<TaskScheduler> MakeOracle(std::span<const RecordedCurve> curves);

}  // namespace schedulegym
