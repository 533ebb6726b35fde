// Interpreter: runs a LoopProgram slowly and safely; the reference of all other backends.
#pragma once

#include <memory>

#include "backends/backend.h"

namespace schedulegym {

// Its kernels check every access. They return kRun on an access out of bounds, a read of an
// unwritten cell, an unwritten output cell, or two iterations of one parallel loop that touch the
// same cell, one of them writing.
std::unique_ptr<Backend> MakeInterpreter(const Target& target);

}  // namespace schedulegym
