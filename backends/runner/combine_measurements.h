// CombineMeasurements: one measurement out of several processes' measurements of the same
// candidate.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "env/measure/measurement.h"

namespace schedulegym {

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
