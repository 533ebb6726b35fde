// Sanitizer: NVIDIA's Compute Sanitizer on kernels of a bundle, if this machine has it.
#pragma once

#include <functional>
#include <string>

#include "env/base/json.h"

namespace schedulegym {

struct SanitizerOptions {
  std::string program;       // the bundle's, which runs again under the sanitizer
  int checks = 50;           // how many of its checks run
  double run_seconds = 120;  // of one run; then it is killed
};

// Writes a row for each tool on the bundle's checks, and one for a kernel with a dropped barrier,
// which the tool must find. The tool is SCHEDULEGYM_COMPUTE_SANITIZER where it is set, else the
// first compute-sanitizer in PATH, CUDA_HOME and /usr/local/cuda. `missing`: why no kernel can run
// here, or ""; `seconds_left` is called before each run. Rows without a run say so.
void RunSanitizer(const SanitizerOptions& options, const std::string& missing,
                  const std::function<double()>& seconds_left,
                  const std::function<void(const Json&)>& take);

}  // namespace schedulegym
