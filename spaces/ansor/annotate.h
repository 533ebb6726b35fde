// Annotate: completes a state with chosen tile lengths: compute locations, parallel and unrolled
// loops, vectors.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/state.h"
#include "env/search/knob.h"

namespace schedulegym {

// Returns a number in [0, count) for a decision of a kind at a stage; `count` is at least 1.
using Decide = std::function<int64_t(KnobKind kind, int stage, int64_t count)>;

// Returns the steps of a decision for a stage that was made before; null if it is open.
using GivenSteps = std::function<const Trace*(KnobKind kind, int stage)>;

// The published values of auto_unroll_max_step on CPUs and on GPUs.
inline constexpr int64_t kUnrollSteps[] = {0, 16, 64, 512};
inline constexpr int64_t kGpuUnrollSteps[] = {0, 16, 64, 512, 1024};
std::span<const int64_t> UnrollStepsOf(const Target& target);
// Parallel loops are fused until there are more than this many iterations per core.
inline constexpr int64_t kIterationsPerCore = 16;
// Largest number of elements of a vectorized loop, as published.
inline constexpr int64_t kMostVector = 16;

// Applies all steps in order.
Result<ScheduleState> ApplyAll(ScheduleState state, const Trace& steps);

// Each function below is one of the published annotation rules (TVM 0.16, sketch_policy_rules), in
// the order of application. All return an error if a step is illegal, also a given one.

// Moves stages, last to first, that are not tiled and not worth tiles (`needs_tiles`, by stage).
// Decision 0 inlines a stage that is computed within another and leaves others unchanged; 1 is the
// root; the rest are the places.
Result<ScheduleState> MoveStages(ScheduleState state, const std::vector<bool>& needs_tiles,
                                 const Decide& decide, const GivenSteps& given = nullptr);

// Vectorizes the innermost loop of each stage with a given vector, before other rules use it. For
// stages with places (`placed`, by stage) only if the loop has at most `most` elements.
Result<ScheduleState> VectorizeGiven(ScheduleState state, const std::vector<bool>& placed,
                                     int64_t most, const GivenSteps& given);

// Parallelizes the outer loops of each stage at the root.
Result<ScheduleState> RunInParallel(ScheduleState state, const GivenSteps& given = nullptr);

// Sets the pragma auto_unroll_max_step for each reduction.
Result<ScheduleState> UnrollReductions(ScheduleState state, const Decide& decide,
                                       const GivenSteps& given = nullptr);

// Vectorizes the innermost loops of each stage that VectorizeGiven does not handle: at most `most`
// elements.
Result<ScheduleState> Vectorized(ScheduleState state, const Decide& decide,
                                 const GivenSteps& given = nullptr, int64_t most = kMostVector);

}  // namespace schedulegym
