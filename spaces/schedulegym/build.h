// BuildSchedule: a complete schedule for any task, from the decisions that an Advice makes.
#pragma once

#include <memory>

#include "env/base/result.h"
#include "env/schedule/state.h"
#include "spaces/draft.h"
#include "spaces/schedulegym/advice.h"
#include "spaces/schedulegym/preparations.h"
#include "spaces/schedulegym/tiles/rules.h"

namespace schedulegym {

// Inlines what is advised, keeps partial results of reductions along rows, then from the outputs
// backwards gives every stage its loops: rows with all that they need, blocks of reductions with
// what reads them, elementwise stages. Of the rules those of structure count here: parity,
// rows, partial sums. An error where the decisions do not go together.
Result<ScheduleState> BuildSchedule(const std::shared_ptr<const Task>& task, Advice& advice,
                                    LoopDetail detail = LoopDetail::kNeeded,
                                    const Rules& rules = {});
// The same from what is prepared by the same rules.
Result<ScheduleState> BuildSchedule(const Preparations& preparations, Advice& advice,
                                    LoopDetail detail);

}  // namespace schedulegym
