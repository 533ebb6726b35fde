// Schedules: tasks and states for tests, from `.dag` text and lines of a trace.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "env/program/task.h"
#include "env/schedule/state.h"

namespace schedulegym {

// A task on a made-up CPU with two cores and 256-bit vectors.
std::shared_ptr<const Task> TaskOf(const ComputeDag& dag, BackendKind backend = BackendKind::kLlvm);
// From valid `.dag` text.
std::shared_ptr<const Task> TaskOf(std::string_view dag, BackendKind backend = BackendKind::kLlvm);

// The state after legal `steps`, one primitive per line, without the header line.
ScheduleState StateAfter(const std::shared_ptr<const Task>& task, std::string_view steps);
ScheduleState StateAfter(std::string_view dag, std::string_view steps);
// `state` after more legal steps.
ScheduleState StateAfter(ScheduleState state, std::string_view steps);

// The printed loop nests.
std::string LoopsOf(const ScheduleState& state);
// The error for an illegal step; "" if it is legal. Check and Apply must agree.
std::string RefusalOf(const ScheduleState& state, const Primitive& primitive);
std::string RefusalOf(const ScheduleState& state, std::string_view step);

}  // namespace schedulegym
