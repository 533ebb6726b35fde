// SequentialForm: a program for a GPU as one that processors run.
#pragma once

#include "env/lower/loop_program.h"

namespace schedulegym {

// Loops of blocks, virtual threads and threads become parallel loops over the same iterations.
// Loops of threads are cut at barriers: what all threads do before one comes before what any does
// after it, and what a thread keeps for itself across one has a dimension for the threads. The two
// programs store the same values. Interpreter, validator and `llvm` take it as any other program,
// and find threads that meet in a cell between two barriers.
LoopProgram SequentialForm(LoopProgram program);

}  // namespace schedulegym
