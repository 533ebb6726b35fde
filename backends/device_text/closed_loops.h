// ClosedLoops: barriers behind loops that hold some, for a driver that needs them there.
#pragma once

#include "backends/device_text/device_program.h"

namespace schedulegym {

// The kernel's body with a barrier before each statement that only some threads execute and that
// follows a loop with barriers, unless a barrier stands between the two. The program does not need
// it. PoCL 3.1 drops such a statement where the loop ends with one of the same condition: its
// compiler joins both, and the loop then has two ends.
StatementPtr WithClosedLoops(const KernelBody& kernel);

}  // namespace schedulegym
