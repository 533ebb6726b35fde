// SearchAnswer: what the search of a task ends with.
#pragma once

#include "agents/task_run.h"
#include "agents/tuner.h"

namespace schedulegym {

// Puts the reference schedule in the place of the run's best where that is slower, or where nothing
// that was measured may be believed: its time is the session's, its ratio 1. The store has nothing
// of that but a record of this search where the reference was a candidate. Nothing changes where
// the options know no reference, or where none was timed.
void PreferReference(const TunerOptions& options, TaskRun& run);

}  // namespace schedulegym
