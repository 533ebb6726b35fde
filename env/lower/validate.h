// Validate: proves that a LoopProgram touches only what it may.
#pragma once

#include "env/base/result.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// Proves every access within its buffer's shape (loop ranges, lets and enclosing conditions
// considered), every parallel loop free of races on what outlives an iteration, every variable
// bound once, vector loops innermost, every barrier reached by all threads, and shared buffers
// apart while they are in use. The error names the first statement it could not prove.
Result<void> Validate(const LoopProgram& program);

// kInvalidSchedule, naming the first buffer whose elements share cells, whose strides are not one
// for each dimension, or which leaves its parameter or is not aligned within it.
Result<void> CheckBufferLayout(const LoopProgram& program);

}  // namespace schedulegym
