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

// The first device of the drivers in OCL_ICD_VENDORS, or else of the system's. Two drivers in one
// process may fail: PoCL and Oclgrind do. Oclgrind checks for races, and writes its reports into a
// file of this object; at most one such object may exist. With OCLGRIND_UNINITIALIZED=1 in the
// environment it also reports reads of unwritten memory. Then OCLGRIND_BUILD_OPTIONS must be
// -cl-opt-disable, because it does not support LLVM's `freeze`.
class OpenClDriver {
 public:
  // Throws MachineError if there is no device.
  OpenClDriver();
  ~OpenClDriver();
  OpenClDriver(const OpenClDriver&) = delete;
  OpenClDriver& operator=(const OpenClDriver&) = delete;

  const OpenClDevice& device() const { return *device_; }
  bool is_oclgrind() const;
  // Oclgrind's reports since the last call; "" for other drivers.
  std::string TakeReports();

 private:
  std::filesystem::path log_;
  std::unique_ptr<OpenClDevice> device_;
  size_t taken_ = 0;  // bytes of the log
};

// Opens a driver if there is none, and replaces one of Oclgrind, whose record of written bytes
// outlives buffers (21.10). Throws MachineError.
void RenewDriver(std::unique_ptr<OpenClDriver>& driver);

// Returns whether Oclgrind reports reads of unwritten memory.
bool FindsUnwritten();

// The driver must outlive kernels. A call returns kRun if it wrote outside of an argument, or if
// the driver reported an error.
std::unique_ptr<Backend> MakeOpenClDriverBackend(const Target& target, OpenClDriver& driver);

// Loads a text, possibly changed by a test, for a program with these parameters.
Result<std::unique_ptr<Kernel>> LoadOnDriver(const LoopProgram& program, DeviceProgram device,
                                             OpenClDriver& driver);

}  // namespace schedulegym
