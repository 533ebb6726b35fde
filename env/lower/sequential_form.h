// SequentialForm: a program for a GPU as one that processors run.
#pragma once

#include "env/lower/loop_program.h"

namespace schedulegym {

// Loops of blocks, virtual threads and threads become parallel loops over the same iterations;
// all else stays. The two programs store the same values, for iterations of neither kind wait for
// each other. Interpreter, validator and `llvm` take it as any other program.
LoopProgram SequentialForm(LoopProgram program);

}  // namespace schedulegym
