// InProcessMeasurer: compiles, verifies and times candidates in this process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "backends/backend.h"
#include "backends/runner/verification/trusted_outputs.h"
#include "env/base/clock.h"
#include "env/measure/measurer.h"
#include "env/measure/protocol.h"

namespace schedulegym {

struct InProcessOptions {
  Protocol protocol;
  uint64_t seed = 0;  // of interleaving; inputs are the task's
  // The fixed schedule that a task's candidates are paired with: ReferenceSchedule of
  // spaces/schedulegym/reference.h.
  ReferenceFunction reference;
  // Makes the backend of a task's target, once for each target: MakeBackend.
  std::function<std::unique_ptr<Backend>(const Target&)> make_backend;
  // Null: the machine's clocks.
  const Clock* wall_clock = nullptr;
  const Clock* cpu_clock = nullptr;
};

// Inputs, expected outputs and the reference kernel of a task are prepared in its first
// measurement, and kept. Candidates, finalists too, are timed in this process, on the real inputs
// on which they are verified. A reference is checked in some cells only; a warning states this once
// for each task. A candidate that crashes ends the process. Measure throws InputError if a task
// cannot be measured at all, such as for a type that its target lacks, and std::logic_error if its
// reference computes wrong values.
std::unique_ptr<Measurer> MakeInProcessMeasurer(InProcessOptions options);

}  // namespace schedulegym
