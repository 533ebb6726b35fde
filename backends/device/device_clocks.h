// DeviceClocks: what clock an NVIDIA GPU runs at and why, read through NVML and never set.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace schedulegym {

struct ClockReading {
  double hertz = 0;          // of the multiprocessors, now
  double highest_hertz = 0;  // that they can have
  unsigned long long reasons = 0;

  // Hardware or heat holds the clock down, as `reasons` say.
  bool is_held_down() const;
  // So it is, or the clock is low while a kernel runs: such a time says nothing of the kernel.
  bool is_disturbed() const;
};

class DeviceClocks {
 public:
  // Of the device on that PCI bus. Opens SCHEDULEGYM_NVML where it is set, else libnvidia-ml.so.1.
  // Readings are empty where the latter is missing, or knows no such device. Throws MachineError
  // where the former is no NVML.
  explicit DeviceClocks(const std::string& bus);
  ~DeviceClocks();
  DeviceClocks(const DeviceClocks&) = delete;
  DeviceClocks& operator=(const DeviceClocks&) = delete;

  std::optional<ClockReading> Read() const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace schedulegym
