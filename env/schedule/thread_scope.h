// ThreadScope: the GPU memory of a stage, which determines whether a block or a thread computes it.
#pragma once

#include "env/program/memory_scope.h"
#include "env/schedule/state.h"

namespace schedulegym {

// True if a thread or a virtual thread runs each iteration.
constexpr bool IsThreadLoop(Annotation annotation) {
  return annotation == Annotation::kVthread || annotation >= Annotation::kThreadX;
}

// Returns the memory of a stage that is computed at a loop. Copies have the schedule's scope. Other
// stages are local to a thread if computed within a loop of threads, or if their kernel has none;
// else the block shares them.
MemoryScope ScopeOnGpu(const ScheduleState& state, int stage);

// Returns whether the stage is computed within a loop of threads of another stage.
bool IsWithinThreads(const ScheduleState& state, int stage);

// True if the block shares it: one execution computes the region that all threads read, not one.
bool IsForBlock(const ScheduleState& state, int stage);

}  // namespace schedulegym
