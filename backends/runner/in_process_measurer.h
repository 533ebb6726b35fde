// InProcessMeasurer: compiles, verifies and times candidates in this very process.
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
  // The fixed schedule of a task with which its candidates are paired: ReferenceSchedule of
  // spaces/schedulegym/reference.h.
  ReferenceFunction reference;
  // Makes the backend of a task's target, once for each target: MakeBackend.
  std::function<std::unique_ptr<Backend>(const Target&)> make_backend;
  // Null: the machine's clocks.
  const Clock* wall_clock = nullptr;
  const Clock* cpu_clock = nullptr;
};

// What it prepares for a task (inputs, expected outputs, reference kernel) it keeps; the costs fall
// on the task's first measurement. Candidates are timed on the real inputs on which they are
// verified, finalists in this process, too; a reference is checked in some cells, which a warning
// says once for each task. A candidate that crashes takes the process with it. Measure throws
// InputError when a task cannot be measured at all, such as for a type that its target lacks, and
// std::logic_error when its reference computes something wrong.
std::unique_ptr<Measurer> MakeInProcessMeasurer(InProcessOptions options);

}  // namespace schedulegym
