// Validate: proves that a LoopProgram makes only legal accesses.
#pragma once

#include "env/base/result.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// Proves that every access is within its buffer's shape (given loop ranges, lets and enclosing
// conditions), parallel loops have no races on buffers that outlive an iteration, variables are
// bound once, vector loops are innermost, all threads reach every barrier, and shared buffers do
// not overlap while in use. The error names the first statement without a proof.
Result<void> Validate(const LoopProgram& program);

// kInvalidSchedule if elements of a buffer share cells, if a buffer has not one stride for each
// dimension, or if it leaves its parameter or is misaligned in it. Names the first such buffer.
Result<void> CheckBufferLayout(const LoopProgram& program);

}  // namespace schedulegym
