// DeviceFacts: what the devices of this machine are, asked of their drivers in a process of its
// own.
#pragma once

#include <string>
#include <vector>

#include "env/program/targets/target.h"

namespace schedulegym {

// Prints one line a device, as DeviceLine reads it. Called by `schedulegym-device` alone: loads
// drivers.
int PrintDevices();

}  // namespace schedulegym
