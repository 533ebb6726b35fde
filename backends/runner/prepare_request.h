// PrepareRequest: what a checker is told of a task before it sees its candidates.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "backends/runner/verification/trusted_outputs.h"
#include "backends/runner/wire/messages.h"

namespace schedulegym {

// All but `reference`, which is the code of what CompileRequestOf says of the reference schedule.
// `seed`: the session's.
PrepareRequest MakePrepareRequest(const std::shared_ptr<const Task>& task,
                                  const ScheduleState& reference, const ReferenceFunction& schedule,
                                  const std::string& protocol, uint64_t seed);

// On the other side: the schedules of the two programs for which the naive one may take too long.
// The request outlives it. Throws std::logic_error for any other task.
ReferenceFunction ReferenceOf(const PrepareRequest& request);

// Of interleaving: another for each task of a session. Inputs are the same in all (InputSeed).
uint64_t OrderSeedOf(const std::string& task_key, uint64_t session_seed);

// That makes an object of a schedule.
CompileRequest CompileRequestOf(const ScheduleState& state);

}  // namespace schedulegym
