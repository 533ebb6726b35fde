// TablePlan: a recorded table in place of measuring; nothing runs.
#pragma once

#include "assembly/measuring/measurer_plan.h"
#include "assembly/measuring/table_cache.h"
#include "env/base/spec.h"

namespace schedulegym {

// `table(file=FILE)`, with noise=true measurements drawn anew from raw samples. Throws InputError
// for a bad option or file.
std::shared_ptr<const MeasurerPlan> MakeTablePlan(const Spec& spec, TableCache& tables);

}  // namespace schedulegym
