// PrintDevices: what the devices of this machine are, asked of their drivers.
#pragma once

namespace schedulegym {

// Prints the text of one target a device; the exit status. Called by `schedulegym-device` alone:
// loads drivers.
int PrintDevices();

}  // namespace schedulegym
