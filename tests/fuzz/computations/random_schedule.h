// RandomSchedule: legal schedules made by chance, for tests and the fuzzer.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "env/base/rng.h"
#include "env/schedule/state.h"

namespace schedulegym {

inline constexpr size_t kPrimitiveKinds = std::variant_size_v<Primitive>;

// How many primitives of each kind, by its position in the variant.
using KindCounts = std::array<int64_t, kPrimitiveKinds>;

// The name of a kind by position.
std::string_view KindName(size_t kind);
// Adds the steps of the state's trace.
void CountKinds(const ScheduleState& state, KindCounts& counts);

// A plausible primitive of the kind, legal or not; none when nothing in the state suits it.
std::optional<Primitive> ProposePrimitive(const ScheduleState& state, size_t kind, Rng& rng);

struct RandomScheduleOptions {
  int most_steps = 14;
  // Bounds on what a legal step may lead to: innermost steps of one run, and copies of one
  // statement that unrolling makes.
  int64_t most_work = 400000;
  int64_t most_copies = 128;
};

// From `state` on, up to `most_steps` random legal primitives.
ScheduleState RandomWalk(ScheduleState state, Rng& rng, const RandomScheduleOptions& options = {});
ScheduleState RandomSchedule(const std::shared_ptr<const Task>& task, Rng& rng,
                             const RandomScheduleOptions& options = {});

// The same with the innermost loop of each stage as vectors, where that is legal.
ScheduleState WithVectors(ScheduleState state);

// Innermost steps that one run of all stages takes, as the loop structure tells.
int64_t EstimatedWork(const ScheduleState& state);

// Whether some step is a compute_at, a pack, an rfactor, or a split (followed ones too) whose
// lengths do not divide the loop.
bool IsIntricate(const ScheduleState& state);

}  // namespace schedulegym
