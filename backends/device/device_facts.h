// PrintDevices: prints the facts of this machine's devices, from their drivers.
#pragma once

namespace schedulegym {

// Prints the text of one target a device; the exit status. Called by `schedulegym-device` alone:
// loads drivers.
int PrintDevices();
// The same of CUDA, below a line "driver 13.0" with the release that the driver is for.
int PrintCudaDevices();

}  // namespace schedulegym
