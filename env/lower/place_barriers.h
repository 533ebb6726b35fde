// PlaceBarriers: inserts the barriers at which the threads of a block wait for each other.
#pragma once

#include "env/base/result.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// Returns the statement with barriers between stores to shared memory and other uses of the same
// bytes, in order and between iterations of a serial loop. A barrier is placed at the nesting level
// of its two sides. Statements that fill a buffer need none for that buffer: each of its cells
// belongs to one thread. A buffer of which each thread reads only its own stores needs none either.
// The statement contains the loops of all threads. Existing barriers count: no redundant one is
// added.
StatementPtr PlaceBarriers(const LoopProgram& program, const StatementPtr& statement);

int CountBarriers(const Statement& statement);

// Checks the assumptions of the sequential form. All threads of a block or none reach a barrier: it
// is in no vector loop or virtual thread, and under no condition that may differ between threads.
// No byte of shared memory is stored to for one buffer while another still reads it. PlaceBarriers
// would add no barrier, not even between two iterations of a loop, where the sequential form waits
// by itself. Returns kInvalidSchedule with the first violation.
Result<void> CheckBarriers(const LoopProgram& program);

}  // namespace schedulegym
