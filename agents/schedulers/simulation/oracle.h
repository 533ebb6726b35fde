// Oracle: the scheduler that knows how every search will go on.
#pragma once

#include <memory>
#include <span>

#include "agents/schedulers/simulation/recorded_curve.h"

namespace schedulegym {

// Gives turns to the task whose recorded future saves most latency a second, over the best number
// of its next turns that the budget holds; none once nothing is to be saved. With an endless budget
// no order has a smaller area of latency over time (Sidney, Operations Research 23, 1975: chains of
// jobs, of which the heaviest beginnings go first); near its end another may end lower. The curves
// outlive it.
std::unique_ptr<TaskScheduler> MakeOracle(std::span<const RecordedCurve> curves);

}  // namespace schedulegym
