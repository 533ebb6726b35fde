// Known best: the best that a store knows of a task, measured again where its ratio may mislead.
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

// Of what was measured, or of what the same measurer gave where nothing is. None where the store's
// best is of another toolchain than the options'.
std::optional<Record> KnownBest(const TunerOptions& options, const TunerParts& parts,
                                const TaskRun& run);

// Notes the better of the run's best and what the store knows now, or knew before where nothing was
// measured since; for when the run's best is final.
void KeepBestKnown(const TunerOptions& options, const TunerParts& parts, TaskRun& run);

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

// Tells the observer where the best known is worse than `event.before`.
void TellRevised(const TunerParts& parts, RevisedEvent event);

// Adds the time to the run's.
void StoreRecords(const TunerParts& parts, std::span<const Record> records, TaskRun& run);

// Of a schedule that was measured once, with success: in each fresh process what that took beside
// its samples, and as many samples as the protocol has for finalists; in each no less than a trial
// takes by the clock, `trial_seconds`, which tells of whoever else has the machine.
double FinalistSeconds(const Protocol& protocol, const Measurement& measurement,
                       double trial_seconds = 0);

// What a search of so many seconds keeps free for finalists, `most` of each task, whose cost `each`
// says: a tenth, less if they need less; for one alone up to a fifth; nothing where even that is
// too little.
double FinalistReserve(std::span<const double> each, int most, double seconds);

// Those that may be learned from and are not suspect, oldest first; of a candidate that was
// measured several times, the latest. Of this toolchain alone, since ratios of several do not
// compare; "" stands for all.
std::vector<Record> KnownRecords(const RecordStore& store, const Key& task,
                                 std::string_view toolchain = "");

// Known trials of the run's task of that number, but for traces that are no schedules here any
// more.
std::vector<Trial> TrialsOf(std::vector<Record> records, int number,
                            const std::shared_ptr<const Task>& task);

}  // namespace schedulegym
