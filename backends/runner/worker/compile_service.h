// CompileService: the life of a process that turns traces into machine code, one after the other.
#pragma once

#include "backends/runner/process/descriptor.h"

namespace schedulegym {

// Serves until the other side is gone.
void RunCompileService(Descriptor socket);

}  // namespace schedulegym
