// HostPlan: measuring on this machine, in processes of their own.
#pragma once

#include "assembly/measurer_plan.h"
#include "env/base/spec.h"

namespace schedulegym {

// `host`. Throws InputError for an option.
std::shared_ptr<const MeasurerPlan> MakeHostPlan(const Spec& spec);

}  // namespace schedulegym
