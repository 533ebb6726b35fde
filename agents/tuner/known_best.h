// Known best: the best record of a task in a store; measured again where its ratio may mislead.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "agents/trial.h"
#include "agents/tuner/search_time.h"
#include "agents/tuner/task_run.h"
#include "agents/tuner/tuner.h"
#include "env/measure/measurement.h"
#include "env/measure/protocol.h"
#include "env/measure/store/record_store.h"

namespace schedulegym {

// Returns the best measured record, or, if candidates are not measured, the best from the same
// measurer. nullopt if the store's best is from another toolchain than the options'.
std::optional<Record> KnownBest(const TunerOptions& options, const TunerParts& parts,
                                const TaskRun& run);

// Sets the run's best known to the better of its best and the store's best now (or before, if
// nothing was measured since). Call it when the run's best is final.
void KeepBestKnown(const TunerOptions& options, const TunerParts& parts, TaskRun& run);

// Measures the store's best again if it is from another toolchain than the options'. Not counted as
// a trial.
void RenewBest(const TunerOptions& options, const TunerParts& parts, const SearchTime& time,
               TaskRun& run);

// Measures the store's best again as a finalist, until the best is a finalist, the options' number
// is reached, the clock is at `end`, the next is expected to exceed the search's seconds, or the
// search is to stop. Not counted as trials. A replaced result still belongs to its agent and keeps
// its number.
void ConfirmBest(const TunerOptions& options, const TunerParts& parts, const SearchTime& time,
                 double end, TaskRun& run);

// Notifies the observer if the best known is worse than `event.before`.
void TellRevised(const TunerParts& parts, RevisedEvent event);

// Stores the records, and adds the time to the run's.
void StoreRecords(const TunerParts& parts, std::span<const Record> records, TaskRun& run);

// Predicts the seconds of a finalist from a successful measurement. Each fresh process takes the
// time beside the samples, and the protocol's samples for finalists; but no less than a trial by
// the clock, `trial_seconds`, which includes delays by other users of the machine.
double FinalistSeconds(const Protocol& protocol, const Measurement& measurement,
                       double trial_seconds = 0);

// Returns the seconds of a search of `seconds` to reserve for finalists: `most` of each task, at
// the costs `each`. A tenth, or less if they need less; up to a fifth for a single one; 0 if even
// that is too little.
double FinalistReserve(std::span<const double> each, int most, double seconds);

// Returns the task's records that agents may learn from and that are not suspect, oldest first; of
// each candidate the latest. Only those of `toolchain`, since ratios of different ones do not
// compare; "" means all.
std::vector<Record> KnownRecords(const RecordStore& store, const Key& task,
                                 std::string_view toolchain = "");

// Makes known trials of the run's task `number`. Skips traces that are no longer schedules here.
std::vector<Trial> TrialsOf(std::vector<Record> records, int number,
                            const std::shared_ptr<const Task>& task);

}  // namespace schedulegym
