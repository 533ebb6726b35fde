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
  double seconds = 600;             // no case starts after this time
  double case_seconds = 20;         // of one case; then its process is killed
  int cases_of_process = 2000;      // then a new one is started (reliability of long runs)
  std::vector<std::string> groups;  // which run; empty: all but `faulty`
  int first = 0;                    // the first cases of these groups; 0: all
  SanitizerOptions sanitizer;
  CaseOptions cases;
};

// Runs the cases. Gives a row as each case ends, the device's facts first and a summary last. A
// case that kills its process, or that hangs, has its row; the next one gets a process of its own,
// which starts when the old one is gone. After the cases come rows of the Compute Sanitizer, if the
// group `sanitizer` runs, and, if `bench` does, one with the verified and timed schedules a second.
// Rows without a run say so. Returns the exit code: 0, 1 where a case failed, 3 where no case ran.
int RunBundle(const std::vector<std::string>& files, const BundleRunOptions& options,
              const std::function<void(const Json&)>& take);

}  // namespace schedulegym
