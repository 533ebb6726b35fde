// Timing rules: checks of a timing, and the combination of several processes' timings.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "backends/runner/verification/failure.h"
#include "env/measure/measurement.h"
#include "env/program/task.h"

namespace schedulegym {

// Lower bound in seconds for a call on the task's target: its operations at a rate that no core
// reaches, and its outputs, every byte of which is written, at more than the rate of the first
// cache. Inputs do not count, since the part that must be read is unknown.
double LeastSeconds(const Task& task);

// Whether a parallel kernel kept less than its share of the cores busy, so that it did not get
// them. Threads that share a core go unnoticed otherwise.
bool IsShortOfThreads(bool is_parallel, int cores, double cpu_per_wall);

// Whether the interval is too wide to decide if it is the best. False for a candidate that is
// surely slower, which needs no precision.
bool IsNoisy(const Timing& timing, std::optional<double> best_ratio);

inline constexpr const char* kDisturbedText =
    "the reference did not get its cores beside the candidate, twice in a row";

// Whether the reference lost its cores while the candidate kept its own: it took over twice its
// time alone, `reference_seconds` (0: unknown), and its threads were short of cores. Such a ratio
// reflects other load of the machine.
bool IsReferenceDisturbed(const Timing& timing, double reference_seconds,
                          bool reference_short_of_threads);

// Returns kImpossibleTime or kNoisy; nullopt if the timing is credible. A time below the bound is
// kNoisy if the candidate's own samples are above it: then the quotient was disturbed.
std::optional<Failure> CheckTiming(const Timing& timing, double least_seconds,
                                   std::optional<double> best_ratio);

// Whether a timing of the reference against itself was disturbed: the ratio's interval is wide, or
// the threads did not get their cores, which makes both series equally slow.
bool IsUneasy(const RatioInterval& ratio, bool short_of_threads);

// Seconds of the reference to use: the session's, which the session's seconds are counted from,
// unless the samples beside a candidate are faster by more than the memory layout explains. Then
// other load had a core while the session timed the reference.
double BelievedReference(double session_seconds, std::span<const float> reference_samples);

// Combines timings from several processes. Each process has another memory layout, which alone may
// move a time by some percent. The ratio is therefore the median over the rounds of all, with the
// interval of the sign test, as the rounds of several layouts are not symmetric. Keeps as many
// samples as a record holds, the same share of each process. Not empty.
Timing CombineTimings(std::span<const Timing> timings);

// Of measurements of one candidate in fresh processes, selects the `count` with the fastest
// reference; nullopt if there are not so many whose reference took at most a quarter longer than
// the fastest one. In some processes the reference was slow and the candidate was not, by a factor
// of five on one occasion: such a ratio is meaningless. A search for the cause found none; a
// virtual machine's drift is left. The selection ignores the ratio, so that it prefers no result.
std::optional<std::vector<Measurement>> CalmestOf(std::span<const Measurement> measurements,
                                                  size_t count);

// The same for whole measurements; seconds are summed, all other fields are the first one's. Not
// empty, and all ok.
Measurement CombineMeasurements(std::span<const Measurement> measurements);

}  // namespace schedulegym
