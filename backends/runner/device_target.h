// DeviceTarget: a target with the facts of the device that it names, asked of its driver.
#pragma once

#include <string>
#include <vector>

#include "env/program/targets/target.h"

namespace schedulegym {

// One target for each OpenCL device of this machine, asked in `schedulegym-device`: no driver is
// loaded into this process. Throws MachineError where there is no library, driver or device.
std::vector<Target> OpenClTargets();

struct CudaDevices {
  std::string driver;  // the release of CUDA that it is for, "13.0"
  std::vector<Target> targets;
};

// The same of CUDA.
CudaDevices FindCudaDevices();

// Whether they run the kernels of a `cuda` target that NVRTC of that release ("13.0") compiles.
// Throws MachineError where the driver is for an older major release, and InputError where no
// device runs them, or several do and none is named.
void CheckCudaDevice(const CudaDevices& devices, const Target& target, const std::string& nvrtc);

// A `cuda` target without a card or an architecture, or with `device`, a part of a name, becomes
// that of the device, with what was given kept. An `opencl` target whose `device` is a part of a
// name becomes that device's, with what was given kept; without a driver it stays as it is, so that
// kernels can be shown. Other targets stay. Throws InputError where devices exist and none has that
// name, and of `cuda` where several do.
Target WithDeviceFacts(const Spec& spec);

}  // namespace schedulegym
