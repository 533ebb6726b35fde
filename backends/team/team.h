// Team: the threads that run the parallel loops of exported kernels.
#pragma once

#include <cstdint>

namespace schedulegym {

// The iterations begin .. end of a loop. `worker` numbers its threads; the caller's is 0.
using LoopShare = void(void* closure, int64_t begin, int64_t end, int64_t worker);

// Runs each iteration 0 .. extent once, on the calling thread and helpers, at most `workers` in
// all, and returns when all have run. Any thread may call at any time; all share the same helpers,
// and one that finds none free works alone. Helpers compute in the caller's floating-point mode. A
// forked process has helpers of its own.
void RunOnTeam(LoopShare* share, void* closure, int64_t extent, int64_t workers);

// What exported kernels call. Its layout stays as it is under this name, for kernels that were
// exported at different times meet in one process.
struct Team {
  decltype(&RunOnTeam) run;
};

}  // namespace schedulegym
