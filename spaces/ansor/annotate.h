// Annotate: completes a state whose tiles have lengths: where stages are computed, what runs in
// parallel, unrolled and in vectors.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "env/base/result.h"
#include "env/schedule/state.h"
#include "env/search/knob.h"

namespace schedulegym {

// A number below `count`, which is at least 1, for a decision of a kind at a stage.
using Decide = std::function<int64_t(KnobKind kind, int stage, int64_t count)>;

// The steps that a stage is to get for a decision that is made before; null where it is open.
using GivenSteps = std::function<const Trace*(KnobKind kind, int stage)>;

// The published values of auto_unroll_max_step on CPUs, and on GPUs.
inline constexpr int64_t kUnrollSteps[] = {0, 16, 64, 512};
inline constexpr int64_t kGpuUnrollSteps[] = {0, 16, 64, 512, 1024};
std::span<const int64_t> UnrollStepsOf(const Target& target);
// Loops are fused and run in parallel until there are more than so many iterations per core.
inline constexpr int64_t kIterationsPerCore = 16;
// Elements of a vectorized loop, at most, as published.
inline constexpr int64_t kMostVector = 16;

// All steps, one after another.
Result<ScheduleState> ApplyAll(ScheduleState state, const Trace& steps);

// Each rule below is one of the published annotation rules (TVM 0.16, sketch_policy_rules), in the
// order in which they are applied. An error where a step would be illegal, a given one, too.

// From the last stage to the first, for those that are not tiled and not worth tiles
// (`needs_tiles`, by stage): of c places, 0 inlines what stands within another stage already and
// leaves the others, 1 is the root, the rest the places.
Result<ScheduleState> MoveStages(ScheduleState state, const std::vector<bool>& needs_tiles,
                                 const Decide& decide, const GivenSteps& given = nullptr);

// The innermost loop of each stage that is given one in vectors, before others take it; of those
// that have places (`placed`, by stage) only where it has so many elements, at most.
Result<ScheduleState> VectorizeGiven(ScheduleState state, const std::vector<bool>& placed,
                                     int64_t most, const GivenSteps& given);

// The outer loops of each stage at the root.
Result<ScheduleState> RunInParallel(ScheduleState state, const GivenSteps& given = nullptr);

// Pragma auto_unroll_max_step for each stage that reduces.
Result<ScheduleState> UnrollReductions(ScheduleState state, const Decide& decide,
                                       const GivenSteps& given = nullptr);

// The innermost loops of each stage but those that VectorizeGiven looks after: so many elements, at
// most.
Result<ScheduleState> Vectorized(ScheduleState state, const Decide& decide,
                                 const GivenSteps& given = nullptr, int64_t most = kMostVector);

}  // namespace schedulegym
