// CaseRunner: runs cases of a bundle on the CUDA device of this machine.
#pragma once

#include <memory>
#include <string>

#include "backends/device/cuda_device.h"
#include "backends/runner/worker/measuring_lock.h"
#include "env/base/json.h"
#include "experiments/gpu/gpu_case.h"

namespace schedulegym {

// Which vendors' libraries are timed, by name.
struct CaseOptions {
  std::vector<std::string> peers = {"cublas", "cudnn"};
};

class CaseRunner {
 public:
  // Throws MachineError and InputError where no device of this machine can run anything.
  explicit CaseRunner(CaseOptions options);
  ~CaseRunner();

  // The device's name, architecture, driver and memory.
  Json Facts() const;
  // Runs a case under the lease of devices, so that no other search's kernels run. Fields:
  // "outcome" and, where known, "message", "seconds", "gflops", "ratio", ...
  Json Run(const GpuCase& one);
  // Nothing else runs in this process.
  bool is_broken() const;

 private:
  std::unique_ptr<CudaDevice> device_;
  CaseOptions options_;
  MeasuringLock lease_;
};

}  // namespace schedulegym
