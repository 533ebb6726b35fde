// OpenCL 1.2 through its loader: devices of all platforms in the loader's order, simulators last;
// one context and one queue in order for the device that is used. Buffers are aligned as the device
// asks for (CL_DEVICE_MEM_BASE_ADDR_ALIGN, in bits). Opening one costs tenths of a second.
#include "backends/device/opencl_device.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/ipc/encoding.h"

namespace schedulegym {
namespace {

template <typename T>
T Number(const OpenClLibrary& library, ClDevice device, ClUint what, T otherwise) {
  T value = otherwise;
  if (library.GetDeviceInfo(device, what, sizeof value, &value, nullptr) != kClSuccess) {
    return otherwise;
  }
  return value;
}

std::string TextOf(const OpenClLibrary& library, ClDevice device, ClUint what) {
  size_t size = 0;
  if (library.GetDeviceInfo(device, what, 0, nullptr, &size) != kClSuccess || size == 0) return "";
  std::string text(size, '\0');
  if (library.GetDeviceInfo(device, what, size, text.data(), nullptr) != kClSuccess) return "";
  text.resize(std::strlen(text.c_str()));
  return std::string(Trim(text));
}

std::string PlatformName(const OpenClLibrary& library, ClPlatform platform) {
  char name[256] = {};
  library.GetPlatformInfo(platform, kClPlatformName, sizeof name - 1, name, nullptr);
  return name;
}

struct FoundDevice {
  ClPlatform platform;
  ClDevice device;
};

// Drivers that look for faults, thousands of times slower than a device.
constexpr std::string_view kSimulators[] = {"Oclgrind"};

bool IsSimulated(const OpenClLibrary& library, const FoundDevice& found) {
  return std::ranges::find(kSimulators, PlatformName(library, found.platform)) !=
         std::end(kSimulators);
}

// OpenCL 1.2, table 4.3: 0 where doubles are not supported; older drivers list the extension.
bool HasDoubles(const OpenClLibrary& library, ClDevice device) {
  return Number<ClBitfield>(library, device, kClDeviceDoubleFpConfig, 0) != 0 ||
         TextOf(library, device, kClDeviceExtensions).find("cl_khr_fp64") != std::string::npos;
}

std::vector<FoundDevice> FindDevices(const OpenClLibrary& library) {
  ClUint count = 0;
  library.GetPlatformIDs(0, nullptr, &count);
  std::vector<ClPlatform> platforms(count);
  if (count > 0) library.GetPlatformIDs(count, platforms.data(), nullptr);
  std::vector<FoundDevice> found;
  for (ClPlatform platform : platforms) {
    ClUint devices = 0;
    if (library.GetDeviceIDs(platform, kClDeviceTypeAll, 0, nullptr, &devices) != kClSuccess)
      continue;
    std::vector<ClDevice> list(devices);
    if (library.GetDeviceIDs(platform, kClDeviceTypeAll, devices, list.data(), nullptr) !=
        kClSuccess) {
      continue;
    }
    for (ClDevice device : list) found.push_back({platform, device});
  }
  std::stable_partition(found.begin(), found.end(),
                        [&](const FoundDevice& each) { return !IsSimulated(library, each); });
  if (!found.empty()) return found;
  throw MachineError(
      "no OpenCL device: expected a driver that offers one "
      "(Debian: pocl-opencl-icd for processors)");
}

size_t BufferAlignment(const OpenClLibrary& library, ClDevice device) {
  return std::max<size_t>(64, Number<ClUint>(library, device, kClDeviceMemBaseAddrAlign, 1024) / 8);
}

DeviceDescription Describe(const OpenClLibrary& library, const FoundDevice& found) {
  const ClDevice device = found.device;
  DeviceDescription description;
  description.name = TextOf(library, device, kClDeviceName);
  description.platform = PlatformName(library, found.platform);
  description.driver = TextOf(library, device, kClDriverVersion);
  description.version = TextOf(library, device, kClDeviceVersion);
  const auto ulong = [&](ClUint what) {
    return static_cast<int64_t>(Number<ClUlong>(library, device, what, 0));
  };
  description.memory_bytes = ulong(kClDeviceGlobalMemSize);
  const int64_t borders = 2 * BorderBytes(BufferAlignment(library, device));
  description.most_tensor_bytes = std::max<int64_t>(0, ulong(kClDeviceMaxMemAllocSize) - borders);
  GpuFacts& facts = description.facts;
  facts.name = description.name;
  facts.units = static_cast<int>(Number<ClUint>(library, device, kClDeviceMaxComputeUnits, 1));
  const auto threads = Number<size_t>(library, device, kClDeviceMaxWorkGroupSize, 1);
  facts.threads = static_cast<int>(std::min<size_t>(threads, 1024));
  facts.shared_bytes = ulong(kClDeviceLocalMemSize);
  facts.l2_bytes = ulong(kClDeviceGlobalMemCacheSize);
  description.has_doubles = HasDoubles(library, device);
  return description;
}

}  // namespace

std::vector<DeviceDescription> ListOpenClDevices() {
  const auto library = OpenClLibrary::Open();
  std::vector<DeviceDescription> descriptions;
  for (const FoundDevice& found : FindDevices(*library)) {
    descriptions.push_back(Describe(*library, found));
  }
  return descriptions;
}

OpenClDevice::OpenClDevice(const std::string& part) : library_(OpenClLibrary::Open()) {
  compiles_in_first_call_ = true;
  std::vector<std::string> names;
  for (const FoundDevice& found : FindDevices(*library_)) {
    DeviceDescription description = Describe(*library_, found);
    names.push_back("'" + description.name + "'");
    if (device_ != nullptr || description.name.find(part) == std::string::npos) continue;
    device_ = found.device;
    description_ = std::move(description);
  }
  if (device_ == nullptr) {
    throw InputError("device: found '" + part + "', expected a part of " + Join(names, " or "));
  }
  ClInt error = kClSuccess;
  context_ = library_->CreateContext(nullptr, 1, &device_, nullptr, nullptr, &error);
  if (error == kClSuccess) queue_ = library_->CreateCommandQueue(context_, device_, 0, &error);
  if (error != kClSuccess) {
    throw MachineError("device '" + description_.name + "' cannot be used: " + ClErrorText(error));
  }
  buffer_alignment_ = BufferAlignment(*library_, device_);
}

OpenClDevice::~OpenClDevice() {
  if (queue_ != nullptr) library_->ReleaseCommandQueue(queue_);
  if (context_ != nullptr) library_->ReleaseContext(context_);
}

Result<std::unique_ptr<DeviceTensor>> OpenClDevice::Allocate(int64_t bytes) {
  Result<DeviceBuffer> buffer = DeviceBuffer::Make(*this, bytes);
  if (!buffer) return buffer.error();
  return std::unique_ptr<DeviceTensor>(std::make_unique<DeviceBuffer>(*std::move(buffer)));
}

Result<std::unique_ptr<LoadedProgram>> OpenClDevice::Load(
    const std::string& object, std::span<const std::unique_ptr<DeviceTensor>> parameters) {
  const Result<DeviceProgram> program = Decode<DeviceProgram>(object);
  if (!program) return program.error();
  auto bound = BoundDeviceProgram::Make(*this, *program);
  if (!bound) return bound.error();
  std::vector<ClMemory> memory;
  for (const std::unique_ptr<DeviceTensor>& tensor : parameters) {
    memory.push_back(static_cast<const DeviceBuffer&>(*tensor).memory());
  }
  if (auto done = (*bound)->Bind(memory); !done) return done.error();
  return std::unique_ptr<LoadedProgram>(*std::move(bound));
}

}  // namespace schedulegym
