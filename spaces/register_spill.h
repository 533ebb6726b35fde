// RegisterSpill: whether a reduction keeps far more results in registers than a target has.
#pragma once

#include <string>

#include "env/base/result.h"
#include "env/base/spec.h"
#include "env/schedule/state.h"

namespace schedulegym {

// Where the innermost loop of a reduction goes around straight code, or is part of it, the results
// that this code moves along stay in registers meanwhile. An error where these are more than `most`
// vectors for each register of the target: then every term loads and stores its result. 0 admits
// all.
Result<void> CheckSpill(const ScheduleState& state, double most);

// The option `spill` of a space: 0, or a limit of at least 1. `who` begins the line of an
// InputError, such as "space ansor".
double ReadMostSpill(SpecReader& reader, const std::string& who);

}  // namespace schedulegym
