// Tune events: the reports of a search, as JSON events and as text.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "agents/tuner/tuner.h"
#include "experiments/cli/common/json.h"
#include "experiments/cli/common/reproduce.h"

namespace schedulegym {

// Fields of the events `start`, `trial` and `done`. A failure has its message, the end of its
// process's stderr, and the command that reproduces it. `refined` is null, or the speed of
// droplet's result over the best before (`gain`), its `trials`, and the trials before (`after`)
// with their `agent`. `best` is of this search, `best_known` the store's.
JsonObject StartFields(const StartEvent& event);
JsonObject TrialFields(const TrialEvent& event, const ReproduceWords& words);
JsonObject DoneFields(const DoneEvent& event, const ReproduceWords& words);
// Fields of the event `revised`, and one line about it.
JsonObject RevisedFields(const RevisedEvent& event);
std::string RevisedText(const RevisedEvent& event);

// seconds, gflops, ratio with its interval, trace, record (null if it has none), verdict, source,
// verified; null without a best.
JsonValue BestFields(const DoneEvent& event);
// The same for the best known; its source may also be `known`: an earlier search.
JsonValue BestKnownFields(const DoneEvent& event);

// "1.234 ms, 217.5 GFLOP/s, 1.35 of the reference's speed (1.33 to 1.37): faster".
std::string TimingText(const Timing& timing, std::optional<double> gflops);
// ", cut short" if the search ended early, else "".
std::string CutShortText(StopReason reason);
// "12 known records of this task, best 1.234 ms, ...".
std::string KnownText(const StartEvent& event);
// "1.234 ms, 1.35 of the reference's speed"; with a best of earlier searches "of this run 1.234 ms,
// 1.35 of the reference's speed, best known 1.2 ms"; "known 1.2 ms" before a success; "" without
// either. For the line of progress, after "best".
std::string ProgressBest(const std::optional<Record>& best, const Record* known_best);
// Several lines: the best of this search, the best known if earlier searches had any, the gain of
// the refinement, the trials and the stop reason, one failure of each kind, the time by phase, and
// last, if `has_trace`, the best known's trace.
std::string DoneText(const DoneEvent& event, const ReproduceWords& words, bool has_trace = true);

// For a search over several tasks: the scheduler, the seconds of its choices, and the numbers of
// curve fits and of those that did not converge; null if it fits none.
JsonObject SchedulerFields(const std::string& scheduler, const std::optional<FitCounts>& fits,
                           std::span<const DoneEvent> done);
std::string SchedulerText(const std::string& scheduler, const std::optional<FitCounts>& fits,
                          std::span<const DoneEvent> done);
// "120 curves fitted, 3 of them in vain".
std::string FitsText(const FitCounts& fits);

}  // namespace schedulegym
