// DeviceServer: the one process that runs kernels of a device, in a zygote's seat at the checker.
#pragma once

#include "env/ipc/descriptor.h"

namespace schedulegym {

// Serves until the other side is gone, by the messages of a zygote: setup with files, then
// candidates, one at a time, each with its line and its socket of stamps. Kernels run in this very
// process, or on a device that it alone has opened: one that hangs or crashes takes it along, and
// the checker starts the next.
void RunDeviceServer(Descriptor socket);

}  // namespace schedulegym
