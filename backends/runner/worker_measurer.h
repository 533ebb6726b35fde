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
  // Processes that verify and time, one at a time doing the latter: with two, one candidate is
  // verified while another is timed, which wants kernels of one thread and two processors.
  int checkers = 1;
  double compile_seconds = 10;   // for one candidate
  double checker_seconds = 600;  // of silence, then a checker is replaced; waiting for turns counts
  // How often a candidate is tried again for what was not its fault, on fresh workers. What looks
  // like a forged result is so at least once.
  int retries = 2;
  // So many times may a candidate end the processes that serve all before it is refused.
  int most_checker_ends = 3;
  // References of more operations are not checked in every cell, which a warning says once.
  double most_checked_flops = kMostCheckedFlops;
  const Clock* clock = nullptr;  // null: the machine's
  // Told while another process of the machine holds the measuring lock.
  WarningFunction warn = {};
};

// Nothing that a candidate does reaches this process; whatever becomes of it is an answer. Equal
// states are measured once, unless they are to be measured anew. What would be the best, and
// finalists, must be right at awkward shapes of the same computation, too, where their schedules
// fit those. Measure throws InputError when a task cannot be measured at all, such as for a type
// that its target lacks, MachineError when workers cannot work, and std::logic_error when a task's
// reference computes something wrong.
std::unique_ptr<Measurer> MakeWorkerMeasurer(WorkerOptions options);

}  // namespace schedulegym
