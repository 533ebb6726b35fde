// OpenClDevice: one device of a driver, with the context and the queue that its kernels use.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backends/device/compute_device.h"
#include "backends/device/opencl_library.h"
#include "backends/device_text/device_program.h"
#include "env/base/result.h"
#include "env/program/targets/target.h"

namespace schedulegym {

// Properties of a device, as its driver reports them.
struct DeviceDescription {
  std::string name;
  std::string platform;
  std::string driver;   // version
  std::string version;  // such as "OpenCL 3.0 PoCL 3.1"
  int64_t memory_bytes = 0;
  int64_t most_tensor_bytes = 0;  // limit of a DeviceBuffer: the driver's, without borders
  bool has_doubles = true;
  GpuFacts facts;  // name, units, threads, shared_bytes, l2_bytes; the others are defaults
};

// All devices of all drivers, in the order of the loader, those of simulators last. Throws
// MachineError without a library or a device.
std::vector<DeviceDescription> ListOpenClDevices();

// Bytes on either side of a tensor, on a device that aligns buffers to `alignment` bytes.
int64_t BorderBytes(size_t alignment);

class OpenClDevice : public ComputeDevice {
 public:
  // Opens the first device whose name contains `part`. Throws InputError, listing the devices, if
  // there is none, and MachineError as ListOpenClDevices.
  explicit OpenClDevice(const std::string& part);
  ~OpenClDevice() override;
  OpenClDevice(const OpenClDevice&) = delete;
  OpenClDevice& operator=(const OpenClDevice&) = delete;

  Result<std::unique_ptr<DeviceTensor>> Allocate(int64_t bytes) override;
  Result<std::unique_ptr<LoadedProgram>> Load(
      const std::string& object,
      std::span<const std::unique_ptr<DeviceTensor>> parameters) override;
  // Measures the launch of all kernels and the wait for their end.
  const Clock& clock() const override { return clock_; }

  const DeviceDescription& description() const { return description_; }
  const OpenClLibrary& library() const { return *library_; }
  ClContext context() const { return context_; }
  ClQueue queue() const { return queue_; }
  ClDevice device() const { return device_; }
  size_t buffer_alignment() const { return buffer_alignment_; }

 private:
  std::shared_ptr<const OpenClLibrary> library_;
  DeviceDescription description_;
  ClDevice device_ = nullptr;
  ClContext context_ = nullptr;
  ClQueue queue_ = nullptr;
  size_t buffer_alignment_ = 128;
  SteadyClock clock_;
};

// Device memory between two borders, which reveal writes outside of it.
class DeviceBuffer : public DeviceTensor {
 public:
  // kRun if the device is out of memory.
  static Result<DeviceBuffer> Make(const OpenClDevice& device, int64_t bytes);
  ~DeviceBuffer() override;
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) = delete;

  ClMemory memory() const { return inner_; }
  int64_t bytes() const { return bytes_; }
  Result<void> Write(const void* from) override;
  Result<void> Read(void* to) const override;
  Result<void> FillBorders() override;
  Result<bool> BordersIntact() const override;

 private:
  DeviceBuffer(const OpenClDevice& device, int64_t bytes, int64_t border)
      : device_(&device), bytes_(bytes), border_(border) {}

  const OpenClDevice* device_;
  int64_t bytes_;
  int64_t border_;
  ClMemory outer_ = nullptr;
  ClMemory inner_ = nullptr;
};

// A built program with its own temporaries.
class BoundDeviceProgram : public LoadedProgram {
 public:
  // kCompile with the driver's log, kRun if the device is out of memory.
  static Result<std::unique_ptr<BoundDeviceProgram>> Make(const OpenClDevice& device,
                                                          const DeviceProgram& program);
  ~BoundDeviceProgram() override;
  BoundDeviceProgram(const BoundDeviceProgram&) = delete;
  BoundDeviceProgram& operator=(const BoundDeviceProgram&) = delete;

  // Sets one memory for each parameter. They must outlive all calls.
  Result<void> Bind(const std::vector<ClMemory>& parameters);
  Result<void> Call() override;

 private:
  explicit BoundDeviceProgram(const OpenClDevice& device) : device_(device) {}
  Result<void> Build(const DeviceProgram& program);
  std::string BuildLog() const;

  struct Launch {
    ClKernel kernel = nullptr;
    size_t global[3] = {1, 1, 1};
    size_t local[3] = {1, 1, 1};
    std::vector<int32_t> arguments;
  };

  const OpenClDevice& device_;
  ClProgram program_ = nullptr;
  std::vector<Launch> launches_;
  std::vector<DeviceBuffer> temporaries_;
};

}  // namespace schedulegym
