// BundleRun: all cases of a bundle, in processes of their own, as rows of JSON.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "env/base/json.h"
#include "experiments/gpu/case_runner.h"
#include "experiments/gpu/sanitizer.h"

namespace schedulegym {

struct BundleRunOptions {
  double seconds = 600;             // no case begins after this time
  double case_seconds = 20;         // of one case; then its process is killed
  std::vector<std::string> groups;  // which run; empty: all but `faulty`
  int first = 0;                    // so many cases of these groups; 0: all
  SanitizerOptions sanitizer;
  CaseOptions cases;
};

// Gives a row as each case ends, the device's facts first and a summary last. A case that kills its
// process, or does not end in time, has its row, and the next one a process of its own, which
// starts when the other is gone. After the cases come rows of the Compute Sanitizer, if the group
// `sanitizer` runs, and, if `bench` does, one of how many schedules were verified and timed in a
// second. Rows of what did not run say so. The exit code: 0, 1 where a case failed, 3 where no case
// ran.
int RunBundle(const std::vector<std::string>& files, const BundleRunOptions& options,
              const std::function<void(const Json&)>& take);

}  // namespace schedulegym
