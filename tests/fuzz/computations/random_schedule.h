// RandomSchedule: random legal schedules, for tests and the fuzzer.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "env/base/rng.h"
#include "env/schedule/state.h"

namespace schedulegym {

inline constexpr size_t kPrimitiveKinds = std::variant_size_v<Primitive>;

// Number of primitives of each kind, by its position in the variant.
using KindCounts = std::array<int64_t, kPrimitiveKinds>;

// The name of a kind by position.
std::string_view KindName(size_t kind);
// Adds the steps of the state's trace.
void CountKinds(const ScheduleState& state, KindCounts& counts);

// A plausible primitive of the kind, legal or not; nullopt if none fits the state.
std::optional<Primitive> ProposePrimitive(const ScheduleState& state, size_t kind, Rng& rng);

struct RandomScheduleOptions {
  int most_steps = 14;
  // Bounds on the result of a legal step: innermost steps of one run, and copies of one statement
  // by unrolling.
  int64_t most_work = 400000;
  int64_t most_copies = 128;
};

// Takes up to `most_steps` random legal primitives from `state` on.
ScheduleState RandomWalk(ScheduleState state, Rng& rng, const RandomScheduleOptions& options = {});
ScheduleState RandomSchedule(const std::shared_ptr<const Task>& task, Rng& rng,
                             const RandomScheduleOptions& options = {});

// Returns the state with the innermost loop of each stage vectorized, where that is legal.
ScheduleState WithVectors(ScheduleState state);

// Innermost steps of one run of all stages, by the loop structure.
int64_t EstimatedWork(const ScheduleState& state);

// Whether a step is a compute_at, a pack, an rfactor, or a split (followed ones too) whose lengths
// do not divide the loop.
bool IsIntricate(const ScheduleState& state);

}  // namespace schedulegym
