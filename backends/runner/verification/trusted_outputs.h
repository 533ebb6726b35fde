// Trusted outputs: what a computation gives on given inputs, by the simplest means that finish.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "backends/backend.h"
#include "backends/runner/verification/real_outputs.h"
#include "env/base/rng.h"
#include "env/measure/timing/aligned_buffer.h"
#include "env/measure/verification/error_dag.h"
#include "env/program/task.h"
#include "env/schedule/state.h"

namespace schedulegym {

using ReferenceFunction = std::function<ScheduleState(std::shared_ptr<const Task>)>;

// So many operations the naive program does for each candidate's sake: about a tenth of a second.
inline constexpr double kMostNaiveFlops = 1e8;
inline constexpr double kAlwaysNaive = std::numeric_limits<double>::infinity();

// How trusted outputs are made.
struct TrustedMeans {
  const Backend& backend;
  // Of computations with more operations than `most_naive_flops`; others take the naive schedule
  // compiled without transformations, at one to four operations a nanosecond.
  const ReferenceFunction& reference;
  double most_naive_flops = kMostNaiveFlops;

  bool AreNaive(const ComputeDag& dag) const;
};

// One buffer for each output. Some cells are evaluated straight from the definitions besides, all
// that a fixed effort allows; a difference is a bug and throws std::logic_error. `exact`: positions
// of the outputs in which the cells must be equal; in others they are not looked at.
Result<std::vector<AlignedBuffer>> ExactOutputs(const Task& task, std::span<void* const> inputs,
                                                const std::vector<int>& exact,
                                                const TrustedMeans& means, Rng& rng);

// What real inputs give. `error_dag` is of the task's computation.
Result<RealOutputs> BoundedOutputs(const Task& task, const ErrorDag& error_dag,
                                   std::span<void* const> inputs, const TrustedMeans& means,
                                   Rng& rng);

}  // namespace schedulegym
