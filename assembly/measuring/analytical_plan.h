// AnalyticalPlan: the analytical estimate in place of measuring; nothing runs.
#pragma once

#include "assembly/measuring/measurer_plan.h"
#include "env/base/spec.h"

namespace schedulegym {

// `analytical`. Throws InputError for an option.
std::shared_ptr<const MeasurerPlan> MakeAnalyticalPlan(const Spec& spec);

}  // namespace schedulegym
