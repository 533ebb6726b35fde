// CurvesByTask: recorded curves, those of one task together.
#pragma once

#include <span>
#include <vector>

#include "agents/schedulers/simulation/recorded_curve.h"

namespace schedulegym {

// In the order in which the tasks come first; the curves outlive it.
using CurvesByTask = std::vector<std::vector<const RecordedCurve*>>;
CurvesByTask GroupByTask(std::span<const RecordedCurve> curves);

}  // namespace schedulegym
