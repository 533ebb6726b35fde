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
// of whom (`agent`).
JsonObject StartFields(const StartEvent& event);
JsonObject TrialFields(const TrialEvent& event, const ReproduceWords& words);
JsonObject DoneFields(const DoneEvent& event, const ReproduceWords& words);

// seconds, gflops, ratio with its interval, trace, record (null where it has none), verdict,
// source, verified; null without a best.
JsonValue BestFields(const DoneEvent& event);

// "1.234 ms, 217.5 GFLOP/s, 1.35 of the reference's speed (1.33 to 1.37): faster".
std::string TimingText(const Timing& timing, std::optional<double> gflops);
// ", cut short" where the search would have gone on, else "".
std::string CutShortText(StopReason reason);
// "12 known records of this task, best 1.234 ms, ...".
std::string KnownText(const StartEvent& event);
// Several lines: what was found, what refining it gave, how, one failure of each kind, and where
// the time went.
std::string DoneText(const DoneEvent& event, const ReproduceWords& words);

// Of a search over several tasks: what chose them, the seconds of its choices, and how many
// curves it fitted and how many of the fits did not converge; null where it fits none.
JsonObject SchedulerFields(const std::string& scheduler, const std::optional<FitCounts>& fits,
                           std::span<const DoneEvent> done);
std::string SchedulerText(const std::string& scheduler, const std::optional<FitCounts>& fits,
                          std::span<const DoneEvent> done);
// "120 curves fitted, 3 of them in vain".
std::string FitsText(const FitCounts& fits);

}  // namespace schedulegym
