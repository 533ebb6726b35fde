// WorkerMeasurer: compiles, verifies and times candidates in processes of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "backends/runner/verification/trusted_outputs.h"
#include "backends/runner/verification/verifier.h"
#include "env/base/clock.h"
#include "env/measure/measurer.h"

namespace schedulegym {

struct WorkerOptions {
  std::string program;            // schedulegym-worker: FindWorkerProgram()
  std::string protocol = "cpu1";  // spec
  uint64_t seed = 0;              // of interleaving; inputs are the task's
  // The fixed schedule of a task with which its candidates are paired: ReferenceSchedule of
  // spaces/schedulegym/reference.h.
  ReferenceFunction reference;
  int compile_workers = 1;
  // Processes that verify and time; one times at a time. With two, one candidate is verified while
  // another is timed, which needs kernels of one thread and two processors.
  int checkers = 1;
  double compile_seconds = 10;   // for one candidate
  double checker_seconds = 600;  // of silence, then a checker is replaced; waiting for turns counts
  // Further attempts on fresh workers after failures that are not the candidate's. A result that
  // looks forged is tried again at least once.
  int retries = 2;
  // So many times may a candidate end the processes that serve all before it is refused.
  int most_checker_ends = 3;
  // References with more operations are not checked in every cell; a warning says so once.
  double most_checked_flops = kMostCheckedFlops;
  const Clock* clock = nullptr;  // null: the machine's
  // Told while another process of the machine holds the measuring lock.
  WarningFunction warn = {};
};

// A candidate cannot affect this process; each failure is an outcome. Equal states are measured
// once, unless they are to be measured again. A possible best, and finalists, must be right at
// awkward shapes of the same computation, too, where their schedules fit. Measure throws InputError
// when a task cannot be measured at all, such as for a type that its target lacks, MachineError
// when workers fail, and std::logic_error when a task's reference is wrong.
std::unique_ptr<Measurer> MakeWorkerMeasurer(WorkerOptions options);

}  // namespace schedulegym
