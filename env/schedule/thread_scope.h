// Thread scope: which memory of a GPU a stage lives in, and so whose region of it is computed.
#pragma once

#include "env/program/memory_scope.h"
#include "env/schedule/state.h"

namespace schedulegym {

// A thread or a virtual thread runs each iteration.
constexpr bool IsThreadLoop(Annotation annotation) {
  return annotation == Annotation::kVthread || annotation >= Annotation::kThreadX;
}

// Of a stage that is computed at a loop. Copies live where the schedule says. Others are a thread's
// own if they are computed within a loop of threads, or if no loop of their kernel is one, and else
// the block's.
MemoryScope ScopeOnGpu(const ScheduleState& state, int stage);

// Whether the stage is computed within a loop of threads of another one.
bool IsWithinThreads(const ScheduleState& state, int stage);

// The block shares it: one execution computes what all threads read, rather than what one does.
bool IsForBlock(const ScheduleState& state, int stage);

}  // namespace schedulegym
