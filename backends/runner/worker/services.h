// The services of `schedulegym-worker`: checker, compiler, and checks of references.
#pragma once

#include <functional>
#include <string>

#include "env/ipc/descriptor.h"
#include "env/lower/lower.h"

namespace schedulegym {

// Serves until the other side is gone. `program` is the worker's own.
void RunChecker(Descriptor socket, const std::string& program);

// What a schedule means as loops.
using LowerFunction = std::function<Result<LoopProgram>(const ScheduleState&)>;

// Serves until the other side is gone. What is lowered and cannot be proved to stay within its
// buffers is refused, whoever lowered it.
void RunCompileService(Descriptor socket, LowerFunction lower = Lower);

// Serves until the other side is gone, whenever no other process wants the processor, and while
// none of this machine holds the measuring lock: in a process of its own, which this one stops and
// lets go on.
void RunReferenceService(Descriptor socket);

}  // namespace schedulegym
