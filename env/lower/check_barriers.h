// CheckBarriers: what the sequential form of a program for a GPU takes for granted.
#pragma once

#include "env/base/result.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// Every barrier is reached by all threads of a block or by none: it stands in no vector loop or
// virtual thread, and under no condition that threads may see differently. No byte
// of shared memory is stored to for one buffer while another still reads it. There is a barrier
// wherever PlaceBarriers would have one: between two iterations of a loop, too, where the
// sequential form waits by itself. kInvalidSchedule with the first exception.
Result<void> CheckBarriers(const LoopProgram& program);

}  // namespace schedulegym
