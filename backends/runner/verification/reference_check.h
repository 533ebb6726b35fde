// Reference check: whether a task's reference, and all that candidates are compared with, is right
// in every cell.
#pragma once

#include <cstdint>
#include <memory>

#include "backends/backend.h"
#include "backends/object_code.h"
#include "backends/runner/verification/trusted_outputs.h"
#include "env/base/result.h"
#include "env/program/task.h"

namespace schedulegym {

struct ReferenceCheckMeans {
  const Backend& backend;      // of the task's target
  const Backend& interpreter;  // which runs definitions as they stand, every access checked
  const ReferenceFunction& reference;
  const ObjectCode& code;  // of the reference schedule, as candidates are paired with it
};

// A naive program of more operations takes some minutes, and what it gives some gigabytes.
inline constexpr double kMostCheckedFlops = 3e10;

// The naive program, compiled without transformations, is held against the interpreter at shrunk
// shapes of the same computation, or at the task's own where that is small. Then it runs at the
// task's shape on every set of inputs, those for timing too: the reference's code must give the
// same integers bit for bit and reals within their bounds, and what candidates are compared with
// must be the same, all in every cell. The error is of kind kRun and says where they differ. Takes
// seconds where the naive program does; throws what Expectations throws.
Result<void> CheckReference(const std::shared_ptr<const Task>& task,
                            const ReferenceCheckMeans& means, uint64_t seed);

}  // namespace schedulegym
