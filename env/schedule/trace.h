// Trace: the ordered primitives of a schedule.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/base/result.h"
#include "env/program/compute_dag.h"
#include "env/schedule/primitive.h"

namespace schedulegym {

using Trace = std::vector<Primitive>;

// First line "trace 1", then one primitive a line; '#' begins a comment, empty lines are free.
std::string TraceToText(const Trace& trace, const ComputeDag& dag);
// Errors name the line. Parsing does not check legality; Replay does.
Result<Trace> ParseTrace(std::string_view text, const ComputeDag& dag);

}  // namespace schedulegym
