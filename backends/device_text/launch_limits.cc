#include "backends/device_text/launch_limits.h"

#include <string>

namespace schedulegym {
namespace {

Result<void> CheckMost(const DeviceKernel& kernel, int64_t found, int64_t most, const char* what) {
  if (found <= most) return {};
  return Error{ErrorKind::kUnsupported, kernel.name + " has " + std::to_string(found) + " " + what +
                                            " a block, expected at most " + std::to_string(most)};
}

}  // namespace

Result<void> CheckLaunches(const DeviceProgram& device, const GpuFacts& facts) {
  for (const DeviceKernel& kernel : device.kernels) {
    int64_t threads = 1;
    for (const int64_t extent : kernel.threads) threads *= extent;
    if (auto fits = CheckMost(kernel, threads, facts.threads, "threads"); !fits) return fits;
    auto fits = CheckMost(kernel, kernel.shared_bytes, facts.shared_bytes, "shared bytes");
    if (!fits) return fits;
  }
  return {};
}

}  // namespace schedulegym
