// The spaces of sketches: structures that rules derive, with lengths and annotations by chance.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "env/base/result.h"
#include "env/base/rng.h"
#include "env/base/spec.h"
#include "env/search/search_space.h"
#include "spaces/ansor/open_sketch.h"

namespace schedulegym {

// Ansor's own space. Options: one switch for each sketch rule; code, the most operations
// that a candidate's code may hold; warps, the most of a block of a stage that is not tiled, where
// TVM (0.16, InitThreadBind) draws one; spill (register_spill.h). Throws InputError.
std::unique_ptr<SearchSpace> MakeAnsorSpace(const Spec& spec);

// What becomes of each schedule in the end, and the trace of one without that.
struct Finishing {
  std::function<Result<ScheduleState>(ScheduleState)> finish;
  std::function<Trace(const ScheduleState&)> without;
  double most_spill = 0;  // not 0: what completes on a GPU keeps its results in registers
};

// Each length of each open split is a knob, then each annotation. At the origin tiles are of one
// element, every stage is where the rules put it, nothing is unrolled, in vectors or in parallel.
// What is open is completed as sketch_space.h has it.
Sketch SketchOf(OpenSketch open, const Finishing& finishing = {});

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
