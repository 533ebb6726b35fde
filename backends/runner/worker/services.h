// The services of `schedulegym-worker`: checker, compiler, and checks of references.
#pragma once

#include <functional>
#include <string>

#include "env/ipc/descriptor.h"
#include "env/lower/lower.h"

namespace schedulegym {

// Serves until the other side closes. `program` is the path of the worker itself.
void RunChecker(Descriptor socket, const std::string& program);

// Lowers a schedule to loops.
using LowerFunction = std::function<Result<LoopProgram>(const ScheduleState&)>;

// Serves until the other side closes. Refuses a lowered program that cannot be proved to stay
// within its buffers, whichever `lower` made it.
void RunCompileService(Descriptor socket, LowerFunction lower = Lower);

// Serves until the other side closes. Works in a child process of the lowest priority, which this
// process suspends while another process of this machine holds the measuring lock.
void RunReferenceService(Descriptor socket);

}  // namespace schedulegym
