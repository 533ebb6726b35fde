// The program `schedulegym-device`: started by schedulegym; by hand, `schedulegym-device list`
// prints the devices of the OpenCL drivers that are installed, `list-cuda` those of CUDA's.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "backends/device/device_facts.h"
#include "backends/device/device_server.h"
#include "env/base/fault.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {
namespace {

// Turns the drivers' disk caches off: a search would fill them with candidates.
void LeaveNoCaches() {
  setenv("POCL_KERNEL_CACHE", "0", /*overwrite=*/0);
  setenv("CUDA_CACHE_DISABLE", "1", /*overwrite=*/0);
}

int Serve(int argc, char** argv) {
  int exit_code = 0;
  if (!FollowParent(argc, argv, exit_code)) return exit_code;
  RunDeviceServer(Descriptor(WorkerProcess::kSocket));
  return 0;
}

}  // namespace
}  // namespace schedulegym

int main(int argc, char** argv) {
  schedulegym::LeaveNoCaches();
  try {
    const std::string word = argc == 2 ? argv[1] : "";
    if (word == "list") return schedulegym::PrintDevices();
    if (word == "list-cuda") return schedulegym::PrintCudaDevices();
    return schedulegym::Serve(argc, argv);
  } catch (const schedulegym::InputError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 3;
  }
}
