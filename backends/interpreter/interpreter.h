// Interpreter: runs a LoopProgram slowly and certainly; the judge of every other backend.
#pragma once

#include <memory>

#include "backends/backend.h"

namespace schedulegym {

// Its kernels check every access, and answer with kRun on an access out of bounds, a read of a cell
// that nothing wrote, an output cell left unwritten, or two iterations of one parallel loop that
// touch the same cell, one of them writing.
std::unique_ptr<Backend> MakeInterpreter(const Target& target);

}  // namespace schedulegym
