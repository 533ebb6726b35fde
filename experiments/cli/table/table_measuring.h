// TableMeasuring: measures every schedule of a plan, with the store as its memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "env/base/hash.h"
#include "env/measure/record.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/session.h"
#include "experiments/cli/table/table_plan.h"

namespace schedulegym {

// The latest record of each of the plan's schedules that this protocol gave on this toolchain, by
// key of the state. What the store has is not measured again, so that an interrupted table goes on
// where it stood; after an interrupt some are missing. What the machine disturbed is measured once
// more, and then stays as it is. Reports a `trial` for each measurement, with
// progress on stderr. `protocol` is a spec. Throws MachineError where nothing can be measured.
std::map<Key, Record> MeasurePlan(Session& session, const TablePlan& plan,
                                  const std::string& protocol, const InterruptScope& interrupt);

}  // namespace schedulegym
