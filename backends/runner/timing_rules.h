// Timing rules: what must hold of a timing, and one measurement out of several processes'.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "backends/runner/verification/failure.h"
#include "env/measure/measurement.h"
#include "env/program/task.h"

namespace schedulegym {

// Less than a call can take on the task's target: its operations at the rate of units that no core
// has, and its outputs, every byte of which is written, at more than the first cache takes. How
// much of the inputs must be read nobody knows.
double LeastSeconds(const Task& task);

// A parallel kernel that kept less than its share of the cores busy did not get them: threads that
// share a core go unnoticed otherwise.
bool IsShortOfThreads(bool is_parallel, int cores, double cpu_per_wall);

// Too vague to tell whether it is the best: what is surely slower needs no precision.
bool IsNoisy(const Timing& timing, std::optional<double> best_ratio);

inline constexpr const char* kDisturbedText =
    "the reference did not get its cores beside the candidate, twice in a row";

// Whether the reference lost its cores while the candidate kept its own: it took over twice its
// time alone, `reference_seconds` (0: unknown), and its threads were short of cores. Such a ratio
// tells of the machine's other load.
bool IsReferenceDisturbed(const Timing& timing, double reference_seconds,
                          bool reference_short_of_threads);

// kImpossibleTime or kNoisy; nothing when it may be believed. Seconds that are too few are kNoisy
// where the candidate's own samples are not: then the quotient was disturbed.
std::optional<Failure> CheckTiming(const Timing& timing, double least_seconds,
                                   std::optional<double> best_ratio);

// Whether the reference, timed against itself, was not timed in peace: its ratio is vague, or its
// threads did not get their cores, which leaves both of its series equally slow.
bool IsUneasy(const RatioInterval& ratio, bool short_of_threads);

// Of a session's time of the reference and of what it took beside a candidate: the first, from
// which the session's seconds are counted, unless the second is less by more than the layout of
// memory explains. Then something else had a core while the session timed it.
double BelievedReference(double session_seconds, std::span<const float> reference_samples);

// Each process has another layout of its memory, which alone may move a time by some percent: the
// ratio is the median over the rounds of all, with the interval of the sign test, for of several
// layouts nothing is symmetric. Of the samples as many are kept as a record holds, the same share
// of each process. Not empty.
Timing CombineTimings(std::span<const Timing> timings);

// Of measurements of one candidate in fresh processes, `count` in which the reference beside it
// took as long as in the fastest, or up to a quarter longer; none where there are not so many. In
// some processes the reference was slow and the candidate was not, by a factor of five on one
// occasion: such a ratio says nothing of either. The cause was looked for and not found; what is
// left is the drift of a virtual machine. The ratio itself is not looked at, so that no result is
// preferred.
std::optional<std::vector<Measurement>> CalmestOf(std::span<const Measurement> measurements,
                                                  size_t count);

// The same of all that was measured; everything else as the first one has it, but seconds, which
// add up. Not empty, and all ok.
Measurement CombineMeasurements(std::span<const Measurement> measurements);

}  // namespace schedulegym
