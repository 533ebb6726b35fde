// SequentialForm: converts a GPU program into one that CPUs run.
#pragma once

#include "env/lower/loop_program.h"

namespace schedulegym {

// Loops of blocks, virtual threads and threads become parallel loops over the same iterations.
// Loops of threads are cut at barriers: all threads finish the part before a barrier before any
// starts the part after it. Thread-local buffers that live across one get a dimension for threads.
// Both programs store the same values. Interpreter, validator and `llvm` accept it like any other
// program, and detect races of threads between two barriers.
LoopProgram SequentialForm(LoopProgram program);

}  // namespace schedulegym
