// Confine: limits a program of unknown origin: it may read its own files, write one folder,
// compute, and answer on its socket.
#pragma once

#include "backends/runner/confinement/confined_program.h"

namespace schedulegym {

// Makes this process that program: for good without sockets, other programs, other processes,
// signals to others, timers that could wake it where it is stopped, and rights to files but its
// own. One that starts programs has those and processes, too, all of which stay as confined. Only
// returns by MachineError.
[[noreturn]] void BecomeConfined(const ConfinedProgram& program);

}  // namespace schedulegym
