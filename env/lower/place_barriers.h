// PlaceBarriers: where the threads of a block wait for each other.
#pragma once

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

}  // namespace schedulegym
