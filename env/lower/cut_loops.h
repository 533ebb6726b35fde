// CutLoops: cuts loops whose iterations wait for each other into loops between their barriers.
#pragma once

#include <cstdint>

#include "env/lower/loop_program.h"

namespace schedulegym {

enum class CutLoopKind : uint8_t {
  // Virtual threads, for a device: barriers stay, and no branch encloses one. Statements that fill
  // shared memory do not depend on virtual threads. They run once, whichever branch a thread takes.
  kVthread,
  // Threads, for a CPU: barriers are removed.
  kThread,
};

// Suffix of the names of shared buffers with one cell per thread. Each thread fills its own cell.
inline constexpr char kPartialSuffix[] = ".partial";

// for t { A; barrier; B } becomes for t { A } and for t { B }. A loop of another kind that contains
// a barrier moves outside. Local buffers that live across a barrier get one dimension for each
// enclosing loop that was cut. New variables and shapes are written to the program.
StatementPtr CutLoops(LoopProgram& program, const StatementPtr& statement, CutLoopKind kind);

}  // namespace schedulegym
