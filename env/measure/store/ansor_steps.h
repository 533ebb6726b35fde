// Ansor steps: schedules as the logs of TVM's auto_scheduler have them.
#pragma once

#include <optional>

#include "env/base/json.h"
#include "env/base/result.h"
#include "env/schedule/state.h"

namespace schedulegym {

// The primitives of a schedule as steps of the log, one each: ["SP", stage, loop, extent, lengths,
// inner_to_outer], ["CA", stage, target, loop] and so on. A step names a stage by its position in
// the order of computation, as it is when the step is applied. An error for a primitive without
// such a step.
Result<Json> AnsorStepsOf(const ScheduleState& state);

// The primitives of such steps, with our stage ids, for a computation of `tensors` tensors. Where
// that is unknown, the last stage of the steps counts as the last tensor. Nothing is replayed. An
// error for unknown steps and values, equal for equal faults.
Result<Trace> TraceOfAnsorSteps(const Json& steps, std::optional<int> tensors);

}  // namespace schedulegym
