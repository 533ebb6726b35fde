// Team: the threads that run the parallel loops of exported kernels.
#pragma once

#include <cstdint>

namespace schedulegym {

// Iterations begin .. end of a loop. `worker` is the number of the thread; the caller's is 0.
using LoopShare = void(void* closure, int64_t begin, int64_t end, int64_t worker);

// Runs each iteration 0 .. extent once, on the calling thread and helpers, at most `workers` in
// all, and returns when all have run. Any thread may call at any time; all share the same helpers,
// and one that finds none free works alone. Helpers compute in the caller's floating-point mode. A
// forked process has helpers of its own.
void RunOnTeam(LoopShare* share, void* closure, int64_t extent, int64_t workers);

// The interface that exported kernels call. Its layout must not change under this name, as kernels
// of different versions share a process.
struct Team {
  decltype(&RunOnTeam) run;
};

}  // namespace schedulegym
