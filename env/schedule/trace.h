// Trace: the ordered primitives of a schedule.
#pragma once

#include <string>
#include <vector>

#include "env/schedule/primitive.h"

namespace schedulegym {

using Trace = std::vector<Primitive>;

// First line "trace 1", then one primitive a line; '#' begins a comment, empty lines are free. The
// names are those of the state that the trace ends in (stage ids only ever grow). Reading a trace
// is replaying it: see ReplayText in state.h.
std::string TraceToText(const Trace& trace, const StageNames& names);

}  // namespace schedulegym
