// DeviceTarget: a target with the facts of the device that it names, asked of its driver.
#pragma once

#include <string>
#include <vector>

#include "env/program/targets/target.h"

namespace schedulegym {

// One target for each OpenCL device of this machine, asked in `schedulegym-device`: no driver is
// loaded into this process. Throws MachineError where there is no library, driver or device.
std::vector<Target> OpenClTargets();

// An `opencl` target whose `device` is a part of a name becomes that device's, with what was given
// kept; without a driver it stays as it is, so that kernels can be shown. Other targets stay.
// Throws InputError where devices exist and none has that name.
Target WithDeviceFacts(const Spec& spec);

}  // namespace schedulegym
