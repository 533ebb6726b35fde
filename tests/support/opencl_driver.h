// OpenClDriver: runs the OpenCL text of loop programs on a driver of this machine, untimed and in
// this process.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "backends/backend.h"
#include "backends/device/opencl_device.h"
#include "backends/device_text/device_program.h"

namespace schedulegym {

// The first device of the drivers that OCL_ICD_VENDORS names, or else of the system's. Two drivers
// in one process may break each other: PoCL and Oclgrind do. Oclgrind is told to look for races,
// and writes what it reports into a file of this object; at most one such object lives at a time.
// With OCLGRIND_UNINITIALIZED=1 in the environment it reports reads of unwritten memory, too; then
// OCLGRIND_BUILD_OPTIONS must be -cl-opt-disable, for it does not know LLVM's `freeze`.
class OpenClDriver {
 public:
  // Throws MachineError where there is no device.
  OpenClDriver();
  ~OpenClDriver();
  OpenClDriver(const OpenClDriver&) = delete;
  OpenClDriver& operator=(const OpenClDriver&) = delete;

  const OpenClDevice& device() const { return *device_; }
  bool is_oclgrind() const;
  // What Oclgrind reported since the last call; "" of other drivers.
  std::string TakeReports();

 private:
  std::filesystem::path log_;
  std::unique_ptr<OpenClDevice> device_;
  size_t taken_ = 0;  // bytes of the log
};

// Opens one where there is none, and another one of Oclgrind, whose knowledge of written bytes
// outlives buffers (21.10). Throws MachineError.
void RenewDriver(std::unique_ptr<OpenClDriver>& driver);

// Whether Oclgrind is told to report reads of unwritten memory.
bool FindsUnwritten();

// Kernels live no longer than the driver. A call is kRun where something was written beside an
// argument, or the driver reported something.
std::unique_ptr<Backend> MakeOpenClDriverBackend(const Target& target, OpenClDriver& driver);

// Of a text, which tests may have changed, for a program of these parameters.
Result<std::unique_ptr<Kernel>> LoadOnDriver(const LoopProgram& program, DeviceProgram device,
                                             OpenClDriver& driver);

}  // namespace schedulegym
