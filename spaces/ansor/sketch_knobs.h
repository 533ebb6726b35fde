// SketchKnobs: what is open in one of Ansor's sketches, as knobs.
#pragma once

#include <functional>
#include <memory>

#include "env/search/sketch.h"
#include "spaces/ansor/open_sketch.h"

namespace schedulegym {

// What becomes of each schedule in the end, and the trace of one without that.
struct Finishing {
  std::function<Result<ScheduleState>(ScheduleState)> finish;
  std::function<Trace(const ScheduleState&)> without;
};

// Each length of each open split is a knob, then each annotation. At the origin tiles are of one
// element, every stage is where the rules put it, nothing is unrolled, in vectors or in parallel.
// What is open is completed as complete.h has it.
Sketch SketchOf(OpenSketch open, const Finishing& finishing = {});

}  // namespace schedulegym
