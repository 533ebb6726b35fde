// ReferenceService: the life of a process that checks references whole, one after the other.
#pragma once

#include "env/ipc/descriptor.h"

namespace schedulegym {

// Serves until the other side is gone, whenever no other process wants the processor, and while
// none of this machine holds the measuring lock: in a process of its own, which this one stops and
// lets go on.
void RunReferenceService(Descriptor socket);

}  // namespace schedulegym
