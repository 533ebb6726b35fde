// Known best: the best that a store knows of a task, measured again where its ratio may mislead.
#pragma once

#include <optional>
#include <span>

#include "agents/tuner/search_time.h"
#include "agents/tuner/task_run.h"
#include "agents/tuner/tuner.h"

namespace schedulegym {

// Of what was measured, or of what the same measurer gave where nothing is. None where the store's
// best is of another toolchain than the options'.
std::optional<Record> KnownBest(const TunerOptions& options, const TunerParts& parts,
                                const TaskRun& run);

// Measures the store's best again if it is of another toolchain than the options'. Outside of the
// trials.
void RenewBest(const TunerOptions& options, const TunerParts& parts, const SearchTime& time,
               TaskRun& run);

// Measures again, as finalists, what the store knows to be best until the best is one that was, the
// options' number is reached, the clock is at `end`, the next should take more than is left of the
// search's seconds or the search is to stop. Outside of the trials. What was measured stays what
// its agent found, and keeps its number.
void ConfirmBest(const TunerOptions& options, const TunerParts& parts, const SearchTime& time,
                 double end, TaskRun& run);

// Adds the time to the run's.
void StoreRecords(const TunerParts& parts, std::span<const Record> records, TaskRun& run);

}  // namespace schedulegym
