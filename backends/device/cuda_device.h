// CudaDevice: one NVIDIA GPU through its driver, with the stream that its kernels use.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/device/compute_device.h"
#include "backends/device/cuda_driver.h"
#include "backends/device/device_clocks.h"
#include "env/program/targets/target.h"

namespace schedulegym {

// A target for each device of the driver, with the facts that the driver reports.
std::vector<Target> ListCudaDevices(const CudaDriver& driver);

class CudaDevice : public ComputeDevice {
 public:
  // Opens the device that runs the target's kernels (ChooseGpu). Throws InputError if none or
  // several do, and MachineError as CudaDriver::Open or if the device cannot be used.
  explicit CudaDevice(const GpuFacts& wanted);

  const GpuFacts& facts() const { return facts_; }
  const CudaDriver& driver() const { return *driver_; }
  Result<std::unique_ptr<DeviceTensor>> Allocate(int64_t bytes) override;
  Result<std::unique_ptr<LoadedProgram>> Load(
      const std::string& object,
      std::span<const std::unique_ptr<DeviceTensor>> parameters) override;
  // Seconds between events around each call. Cycles are these seconds at the current clock.
  const Clock& clock() const override { return clock_; }
  void SetTiming(bool is_timed) override;

  // Converts a result of the driver, and notes its kind of fault.
  Result<void> Checked(const std::string& what, int result);
  // Launches between two events, waits by polling, and adds their distance to clock(). While it is
  // timed a buffer of twice the second-level cache is written first, which also lasts until the
  // launch is queued; and a call during which heat or hardware held the clock down is repeated, up
  // to four times between two calls of SetTiming.
  Result<void> Run(const std::function<Result<void>()>& launch);
  cuda::Stream stream() const { return stream_; }

 private:
  class EventClock : public Clock {
   public:
    double Now() const override { return seconds; }
    double seconds = 0;
  };

  Result<void> EmptyCaches();
  Result<double> TimeOne(const std::function<Result<void>()>& launch);
  void Note(int result);

  std::shared_ptr<const CudaDriver> driver_;
  GpuFacts facts_;
  cuda::Context context_ = nullptr;
  cuda::Stream stream_ = nullptr;
  cuda::Event begin_ = nullptr, end_ = nullptr;
  EventClock clock_;
  bool is_timed_ = false;
  int repeats_left_ = 0;
  cuda::Address wiped_ = 0;  // buffer that is written to empty the caches
  std::unique_ptr<DeviceClocks> clocks_;
};

}  // namespace schedulegym
