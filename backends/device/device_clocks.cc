#include "backends/device/device_clocks.h"

#include <dlfcn.h>

#include <string>

#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {

// Declarations of our own, after the NVML API reference (release 13.0).
namespace nvml {
using Device = struct OpaqueDevice*;
using Init = int();
using HandleByBus = int(const char* bus, Device* device);
using ClockOf = int(Device device, int clock, unsigned* megahertz);
using Reasons = int(Device device, unsigned long long* reasons);
}  // namespace nvml

namespace {

constexpr int kMultiprocessorClock = 1;
// Reasons: hardware slowdown, software and hardware thermal slowdown, power brake.
constexpr unsigned long long kBadReasons = 0x8 | 0x20 | 0x40 | 0x80;
// Of the highest clock.
constexpr double kLeastShare = 0.75;

constexpr const char* kUsual = "libnvidia-ml.so.1";

std::string RefusalOf(const std::string& library) {
  return "SCHEDULEGYM_NVML: found '" + library + "', which is no NVML; expected " + kUsual +
         " of NVIDIA's driver (Debian: libnvidia-ml1), or to leave it unset";
}

}  // namespace

bool ClockReading::is_held_down() const { return (reasons & kBadReasons) != 0; }

bool ClockReading::is_disturbed() const {
  return is_held_down() || hertz < kLeastShare * highest_hertz;
}

struct DeviceClocks::Library {
  nvml::Device device = nullptr;
  nvml::ClockOf* clock = nullptr;
  nvml::ClockOf* highest = nullptr;
  nvml::Reasons* reasons = nullptr;

  bool Open(const std::string& bus) {
    const std::optional<std::string> named = FindVariable("SCHEDULEGYM_NVML");
    void* handle = dlopen(named.value_or(kUsual).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return named ? throw MachineError(RefusalOf(*named)) : false;
    auto* init = reinterpret_cast<nvml::Init*>(dlsym(handle, "nvmlInit_v2"));
    auto* by_bus =
        reinterpret_cast<nvml::HandleByBus*>(dlsym(handle, "nvmlDeviceGetHandleByPciBusId_v2"));
    clock = reinterpret_cast<nvml::ClockOf*>(dlsym(handle, "nvmlDeviceGetClockInfo"));
    highest = reinterpret_cast<nvml::ClockOf*>(dlsym(handle, "nvmlDeviceGetMaxClockInfo"));
    // The older name, which all releases have.
    reasons = reinterpret_cast<nvml::Reasons*>(
        dlsym(handle, "nvmlDeviceGetCurrentClocksThrottleReasons"));
    if (init == nullptr || by_bus == nullptr || clock == nullptr || highest == nullptr ||
        reasons == nullptr) {
      return named ? throw MachineError(RefusalOf(*named)) : false;
    }
    return init() == 0 && by_bus(bus.c_str(), &device) == 0;
  }
};

DeviceClocks::DeviceClocks(const std::string& bus) : library_(std::make_unique<Library>()) {
  if (!library_->Open(bus)) library_.reset();
}

DeviceClocks::~DeviceClocks() = default;

std::optional<ClockReading> DeviceClocks::Read() const {
  if (!library_) return std::nullopt;
  constexpr double kMega = 1e6;
  unsigned now = 0, highest = 0;
  ClockReading reading;
  if (library_->clock(library_->device, kMultiprocessorClock, &now) != 0 ||
      library_->highest(library_->device, kMultiprocessorClock, &highest) != 0 ||
      library_->reasons(library_->device, &reading.reasons) != 0) {
    return std::nullopt;
  }
  reading.hertz = now * kMega;
  reading.highest_hertz = highest * kMega;
  return reading;
}

}  // namespace schedulegym
