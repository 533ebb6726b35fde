#include "backends/device/cuda_driver.h"

#include <dlfcn.h>

#include <vector>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

constexpr int kOldest = 12000;
// The driver's own library is no package of ours or of the toolkit's.
constexpr const char* kPackage =
    "it comes with NVIDIA's driver (Debian package nvidia-driver); without a card: "
    "--measure analytical";

template <typename Function>
void Find(void* library, const std::string& path, const char* name, Function** function) {
  *function = reinterpret_cast<Function*>(dlsym(library, name));
  if (*function != nullptr) return;
  throw MachineError(path + " has no function " + name + ", expected a driver of CUDA 12 or later");
}

std::vector<std::string> Places() {
  if (const auto given = FindVariable("SCHEDULEGYM_CUDA_DRIVER")) return {*given};
  return {"libcuda.so.1", "libcuda.so"};
}

void FindAll(void* library, CudaDriver* driver) {
  const std::string& path = driver->path;
  Find(library, path, "cuGetErrorName", &driver->error_name);
  Find(library, path, "cuGetErrorString", &driver->error_text);
  Find(library, path, "cuDeviceGetCount", &driver->device_count);
  Find(library, path, "cuDeviceGet", &driver->device_get);
  Find(library, path, "cuDeviceGetName", &driver->device_name);
  Find(library, path, "cuDeviceGetPCIBusId", &driver->device_bus);
  Find(library, path, "cuDeviceTotalMem_v2", &driver->device_memory);
  Find(library, path, "cuDeviceGetAttribute", &driver->device_attribute);
  Find(library, path, "cuDevicePrimaryCtxRetain", &driver->retain_context);
  Find(library, path, "cuCtxSetCurrent", &driver->set_context);
  Find(library, path, "cuCtxSynchronize", &driver->synchronize);
  Find(library, path, "cuMemAlloc_v2", &driver->allocate);
  Find(library, path, "cuMemFree_v2", &driver->free);
  Find(library, path, "cuMemcpyHtoD_v2", &driver->copy_in);
  Find(library, path, "cuMemcpyDtoH_v2", &driver->copy_out);
  Find(library, path, "cuMemsetD8_v2", &driver->fill);
  Find(library, path, "cuMemsetD8Async", &driver->fill_later);
  Find(library, path, "cuModuleLoadData", &driver->load);
  Find(library, path, "cuModuleUnload", &driver->unload);
  Find(library, path, "cuModuleGetFunction", &driver->find_function);
  Find(library, path, "cuFuncSetAttribute", &driver->set_function);
  Find(library, path, "cuLaunchKernel", &driver->launch);
  Find(library, path, "cuStreamCreate", &driver->create_stream);
  Find(library, path, "cuEventCreate", &driver->create_event);
  Find(library, path, "cuEventRecord", &driver->record);
  Find(library, path, "cuEventQuery", &driver->query);
  Find(library, path, "cuEventElapsedTime", &driver->elapsed);
}

}  // namespace

std::shared_ptr<const CudaDriver> CudaDriver::Open() {
  std::shared_ptr<CudaDriver> driver(new CudaDriver);
  // Drivers keep threads and handlers of their own: it stays loaded until the process ends.
  void* library = nullptr;
  for (const std::string& place : Places()) {
    library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    driver->path = place;
    if (library != nullptr) break;
  }
  if (library == nullptr) {
    throw MachineError("no CUDA driver: looked for " + Join(Places(), ", ") + "; " + kPackage);
  }
  cuda::Init* init = nullptr;
  cuda::DriverGetVersion* get_version = nullptr;
  Find(library, driver->path, "cuInit", &init);
  Find(library, driver->path, "cuDriverGetVersion", &get_version);
  get_version(&driver->version);
  if (driver->version < kOldest) {
    throw MachineError("the CUDA driver " + driver->path + " is for CUDA " +
                       CudaVersionText(driver->version) + ", expected " + CudaVersionText(kOldest) +
                       " or later");
  }
  FindAll(library, driver.get());
  int count = 0;
  int result = init(0);
  if (result == cuda::kSuccess) result = driver->device_count(&count);
  if (result != cuda::kSuccess || count == 0) {
    const std::string reason = result == cuda::kSuccess ? "it has none" : driver->ErrorText(result);
    throw MachineError("no CUDA device: asked the driver " + driver->path + ": " + reason);
  }
  return driver;
}

std::string CudaDriver::ErrorText(int result) const {
  const char* name = nullptr;
  const char* text = nullptr;
  error_name(result, &name);
  error_text(result, &text);
  const std::string number = std::to_string(result);
  if (name == nullptr) return "CUDA error " + number;
  return std::string(name) + " (" + number + ")" +
         (text == nullptr ? "" : ": " + std::string(text));
}

std::string CudaVersionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace schedulegym
