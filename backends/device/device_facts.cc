#include "backends/device/device_facts.h"

#include <cstdio>

#include "backends/device/cuda_device.h"
#include "backends/device/opencl_device.h"
#include "env/program/targets/gpu_features.h"

namespace schedulegym {

// The target's own text is the line: every fact of it is a key, so that the reader is the parser
// of targets.
int PrintDevices() {
  for (const DeviceDescription& device : ListOpenClDevices()) {
    Target target;
    target.backend = BackendKind::kOpenCl;
    target.cpu = "generic";
    target.gpu = device.facts;
    target.gpu.arch = device.version + ", driver " + device.driver;
    target.memory_bytes = device.memory_bytes;
    // The names of features are sorted.
    if (device.most_tensor_bytes > 0 && device.most_tensor_bytes < device.memory_bytes) {
      target.features.push_back(kBufferFeature + std::to_string(device.most_tensor_bytes));
    }
    if (!device.has_doubles) target.features.emplace_back(kNoDoublesFeature);
    std::printf("%s\n", target.ToText().c_str());
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}

int PrintCudaDevices() {
  const auto driver = CudaDriver::Open();
  std::printf("driver %s\n", CudaVersionText(driver->version).c_str());
  for (const Target& target : ListCudaDevices(*driver)) {
    std::printf("%s\n", target.ToText().c_str());
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace schedulegym
