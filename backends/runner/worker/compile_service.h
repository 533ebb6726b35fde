// CompileService: the life of a process that turns traces into machine code, one after the other.
#pragma once

#include <functional>

#include "env/ipc/descriptor.h"
#include "env/lower/lower.h"

namespace schedulegym {

// What a schedule means as loops.
using LowerFunction = std::function<Result<LoopProgram>(const ScheduleState&)>;

// Serves until the other side is gone. What is lowered and cannot be proved to stay within its
// buffers is refused, whoever lowered it.
void RunCompileService(Descriptor socket, LowerFunction lower = Lower);

}  // namespace schedulegym
