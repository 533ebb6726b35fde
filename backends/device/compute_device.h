// ComputeDevice: a device of some driver, with memory between borders and programs that run on it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "env/base/clock.h"
#include "env/base/result.h"

namespace schedulegym {

// What the last call that failed says of its cause.
enum class DeviceFault : uint8_t {
  kOther,
  kNoMemory,
  kRefused,  // the kernel does not fit the device; it has not run
  kBroken,   // the kernel broke the process's context: every further call fails
  kLost,     // the device itself failed: every further call fails
};

// Memory of a device between two borders, which show what was written beside it.
class DeviceTensor {
 public:
  virtual ~DeviceTensor() = default;
  // Waits until the copy is done. kRun where the device refuses it.
  virtual Result<void> Write(const void* from) = 0;
  virtual Result<void> Read(void* to) const = 0;
  virtual Result<void> FillBorders() = 0;
  virtual Result<bool> BordersIntact() const = 0;
};

// A program with its own temporaries, bound to tensors.
class LoadedProgram {
 public:
  virtual ~LoadedProgram() = default;
  // All kernels in turn; waits for their end. kCompile where the device refuses to launch one for
  // another reason than memory, kRun for memory and for what a kernel did.
  virtual Result<void> Call() = 0;
};

class ComputeDevice {
 public:
  virtual ~ComputeDevice() = default;
  // kRun where there is no memory for it.
  virtual Result<std::unique_ptr<DeviceTensor>> Allocate(int64_t bytes) = 0;
  // Of an object that this device's backend made. The tensors, of this device, are the program's
  // parameters in order, and must live as long as it. kCompile where the driver refuses it, kRun
  // where there is no memory.
  virtual Result<std::unique_ptr<LoadedProgram>> Load(
      const std::string& object, std::span<const std::unique_ptr<DeviceTensor>> parameters) = 0;
  // Seconds that calls took: of the host, or the device's own.
  virtual const Clock& clock() const = 0;
  // Between the two calls are what clock() is read for.
  virtual void SetTiming(bool /*is_timed*/) {}

  DeviceFault fault() const { return fault_; }
  // Of the next candidate nothing has failed yet.
  void ForgetFault() { fault_ = DeviceFault::kOther; }
  // Of drivers that finish their compiling there.
  bool compiles_in_first_call() const { return compiles_in_first_call_; }
  // Whether each timed call finds no data in the caches, as the protocol gpu1 has it.
  bool calls_are_cold() const { return calls_are_cold_; }
  // Cycles of the timed calls so far; 0 where unknown.
  double cycles() const { return cycles_; }

 protected:
  DeviceFault fault_ = DeviceFault::kOther;
  bool compiles_in_first_call_ = false;
  bool calls_are_cold_ = false;
  double cycles_ = 0;
};

}  // namespace schedulegym
