// SearchAnswer: what the search of a task ends with.
#pragma once

#include "agents/tuner/search_time.h"
#include "agents/tuner/task_run.h"
#include "agents/tuner/tuner.h"

namespace schedulegym {

// Puts the reference schedule in the place of the run's best where that is slower, or where nothing
// that was measured succeeded and may be believed: its time is the session's, its ratio 1. Where no
// success told that time, it is measured now, outside of the trials; where there is no time left
// for that, it is unknown. The store has nothing of that but a record of this search where the
// reference was a candidate. Nothing changes where the options know no reference, where nothing
// succeeded now but an earlier search knew better, or knew something and the reference's time is
// unknown.
void PreferReference(const TunerOptions& options, const TunerParts& parts, const SearchTime& time,
                     TaskRun& run);

}  // namespace schedulegym
