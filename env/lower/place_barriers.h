// Barriers: where the threads of a block wait for each other.
#pragma once

#include "env/base/result.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// The statement with barriers between what stores to shared memory and what else uses the same
// bytes, in order and from one iteration of a serial loop to the next. A barrier stands as far out
// as its two sides do. Within the statements that fill a buffer there is none for that buffer: each
// of its cells belongs to one thread. Nor is there one for a buffer of which each thread reads what
// it stored itself alone; the statement holds the loops of all threads.
// Those that stand there already count: where they are enough, none is added.
StatementPtr PlaceBarriers(const LoopProgram& program, const StatementPtr& statement);

int CountBarriers(const Statement& statement);

// What the sequential form takes for granted. Every barrier is reached by all threads of a block or
// by none: it stands in no vector loop or virtual thread, and under no condition that threads may
// see differently. No byte of shared memory is stored to for one buffer while another still reads
// it. There is a barrier wherever PlaceBarriers would have one: between two iterations of a loop,
// too, where the sequential form waits by itself. kInvalidSchedule with the first exception.
Result<void> CheckBarriers(const LoopProgram& program);

}  // namespace schedulegym
