// SketchSpace: structures that rules derive, with random lengths and annotations.
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

// Makes Ansor's own space. Options: one switch for each sketch rule; `code`, the largest number of
// operations in a candidate's code; `warps`, the largest number per block of an untiled stage, for
// which TVM (0.16, InitThreadBind) samples one; `spill` (register_spill.h). Throws InputError.
std::unique_ptr<SearchSpace> MakeAnsorSpace(const Spec& spec);

// `finish` is applied to each complete schedule; `without` returns the trace before `finish`.
struct Finishing {
  std::function<Result<ScheduleState>(ScheduleState)> finish;
  std::function<Trace(const ScheduleState&)> without;
  double most_spill = 0;  // not 0: completed GPU schedules keep their results in registers
};

// Each length of each open split is a knob, then each annotation. At the origin, tiles have one
// element, stages are where the rules placed them, and no loop is unrolled, vectorized or parallel.
// Complete (below) fills open choices.
Sketch SketchOf(OpenSketch open, const Finishing& finishing = {});

// Choices that are made before Complete. Empty: none.
struct GivenChoices {
  // By open split: the required value of each length; nullopt if it is open.
  std::vector<std::vector<std::optional<int64_t>>> lengths;
  // By open annotation: a position in its choices; nullopt if it is open.
  std::vector<std::optional<int>> annotations;
};

// Samples the open choices. Factorizations that match the given lengths are equally likely. Compute
// locations, unrolling, vectors and parallel loops are sampled by annotate.h unless given. The
// sampler also fuses and inlines in ways that no open annotation offers. Returns an error if the
// sample is illegal.
Result<ScheduleState> Complete(const OpenSketch& sketch, const GivenChoices& given, Rng& rng);

}  // namespace schedulegym
