// CutLoops: loops whose iterations wait for each other become loops between the places where they
// wait.
#pragma once

#include <cstdint>

#include "env/lower/loop_program.h"

namespace schedulegym {

enum class CutLoopKind : uint8_t {
  // Virtual threads, as a device runs them: barriers stay, and no branch is around one. What fills
  // shared memory does not depend on virtual threads, and runs once, whatever branch a thread is
  // in.
  kVthread,
  // Threads, as a processor runs them: barriers go.
  kThread,
};

// Shared buffers whose names end so have a cell for each thread, which fills it where the thread
// is.
inline constexpr char kPartialSuffix[] = ".partial";

// for t { A; barrier; B } becomes for t { A } and for t { B }. A loop of another kind that holds a
// barrier goes outside. Local buffers that live across a barrier get a dimension for each loop that
// was cut around them. New variables and shapes go to the program.
StatementPtr CutLoops(LoopProgram& program, const StatementPtr& statement, CutLoopKind kind);

}  // namespace schedulegym
