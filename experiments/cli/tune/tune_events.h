// Tune events: what a search reports, as JSON events and as text for people.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "agents/tuner/tuner.h"
#include "experiments/cli/common/json.h"
#include "experiments/cli/common/reproduce.h"

namespace schedulegym {

// Fields of the events `start`, `trial` and `done`. A failure has its message, the last of what its
// process wrote to stderr, and the command that reproduces it. `refined` is null, or how much
// faster droplet's result is than the best before (`gain`), by how many `trials`, `after` how many
// of whom (`agent`). `best` is of this search, `best_known` of all that the store has.
JsonObject StartFields(const StartEvent& event);
JsonObject TrialFields(const TrialEvent& event, const ReproduceWords& words);
JsonObject DoneFields(const DoneEvent& event, const ReproduceWords& words);
// Of the event `revised`, and one line about it.
JsonObject RevisedFields(const RevisedEvent& event);
std::string RevisedText(const RevisedEvent& event);

// seconds, gflops, ratio with its interval, trace, record (null where it has none), verdict,
// source, verified; null without a best.
JsonValue BestFields(const DoneEvent& event);
// The same of the best known; its source may also be `known`: an earlier search.
JsonValue BestKnownFields(const DoneEvent& event);

// "1.234 ms, 217.5 GFLOP/s, 1.35 of the reference's speed (1.33 to 1.37): faster".
std::string TimingText(const Timing& timing, std::optional<double> gflops);
// ", cut short" where the search would have gone on, else "".
std::string CutShortText(StopReason reason);
// "12 known records of this task, best 1.234 ms, ...".
std::string KnownText(const StartEvent& event);
// "1.234 ms, 1.35 of the reference's speed"; with what earlier searches knew "of this run 1.234 ms,
// 1.35 of the reference's speed, best known 1.2 ms"; "known 1.2 ms" before a success, "" without
// either. For the line of progress, after "best".
std::string ProgressBest(const std::optional<Record>& best, const Record* known_best);
// Several lines: what was found, and what is known where earlier searches knew anything; what
// refining gave, how, one failure of each kind, where the time went, and, last, the best known's
// trace if it is to be shown.
std::string DoneText(const DoneEvent& event, const ReproduceWords& words, bool has_trace = true);

// Of a search over several tasks: what chose them, the seconds of its choices, and how many
// curves it fitted and how many of the fits did not converge; null where it fits none.
JsonObject SchedulerFields(const std::string& scheduler, const std::optional<FitCounts>& fits,
                           std::span<const DoneEvent> done);
std::string SchedulerText(const std::string& scheduler, const std::optional<FitCounts>& fits,
                          std::span<const DoneEvent> done);
// "120 curves fitted, 3 of them in vain".
std::string FitsText(const FitCounts& fits);

}  // namespace schedulegym
