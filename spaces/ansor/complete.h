// Complete: a schedule of a sketch's structure in which Ansor's sampler decides what is open.
#pragma once

#include <optional>
#include <vector>

#include "env/base/result.h"
#include "env/base/rng.h"
#include "spaces/ansor/open_sketch.h"

namespace schedulegym {

// What is decided before; where it is empty, nothing is.
struct GivenChoices {
  // By open split: for each length the one that it has to be; none where it is open.
  std::vector<std::vector<std::optional<int64_t>>> lengths;
  // By open annotation: a position in its choices; none where it is open.
  std::vector<std::optional<int>> annotations;
};

// Each way to cut a loop is as likely as any other that has the given lengths; where stages are
// computed, what is unrolled, in vectors and in parallel as annotate.h has it, but for what is
// given. The sampler fuses and inlines what no open annotation does. An error where this draw leads
// nowhere.
Result<ScheduleState> Complete(const OpenSketch& sketch, const GivenChoices& given, Rng& rng);

}  // namespace schedulegym
