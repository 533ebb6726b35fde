// CheckBufferLayout: whether the buffers of a program have cells of their own, within their
// parameters.
#pragma once

#include "env/base/result.h"
#include "env/lower/loop_program.h"

namespace schedulegym {

// kInvalidSchedule, naming the first buffer whose elements share cells, whose strides are not one
// for each dimension, or which leaves its parameter or is not aligned within it.
Result<void> CheckBufferLayout(const LoopProgram& program);

}  // namespace schedulegym
