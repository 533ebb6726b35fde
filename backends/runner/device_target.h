// DeviceTarget: a target with the facts that the driver reports for its device.
#pragma once

#include <string>
#include <vector>

#include "env/program/targets/target.h"

namespace schedulegym {

// One target for each OpenCL device of this machine. `schedulegym-device` queries them, so this
// process loads no driver. Throws MachineError if there is no library, driver or device.
std::vector<Target> OpenClTargets();

struct CudaDevices {
  std::string driver;  // its release of CUDA, "13.0"
  std::vector<Target> targets;
};

// The same for CUDA.
CudaDevices FindCudaDevices();

// Checks that `devices` run kernels of a `cuda` target from NVRTC of release `nvrtc` ("13.0").
// Throws MachineError if the driver is for an older major release, and InputError if no device runs
// them, or several do and the target names none.
void CheckCudaDevice(const CudaDevices& devices, const Target& target, const std::string& nvrtc);

// Completes a target with facts of its device; given values are kept. Applies to a `cuda` target
// without a card or an architecture, or with `device`, a part of a name, and to an `opencl` target
// whose `device` is a part of a name. Without a driver an `opencl` target stays as it is, so that
// kernels can be shown. Other targets stay. Throws InputError if devices exist and none has that
// name, and for `cuda` if several do.
Target WithDeviceFacts(const Spec& spec);

}  // namespace schedulegym
