// CurveOutput: the file of `tune --curves-out`, how the search of each task went.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "agents/schedulers/simulation/recorded_curve.h"
#include "agents/tuner/tuner.h"
#include "env/base/output_file.h"
#include "experiments/cli/common/report.h"

namespace schedulegym {

// A search that is over.
struct FinishedSearch {
  std::span<const DoneEvent> done;
  std::span<const TunerTask> tasks;  // in the same order
  std::span<const int> turns;        // the task of each
  std::string agent, scheduler;      // specs
  std::string measure = "host";      // spec
  uint64_t seed = 0;
  std::string name;  // no other search has it
};

// Of the tasks that had a trial. Refiners' trials are no part of a curve.
std::vector<RecordedCurve> CurvesOf(const FinishedSearch& search);

class CurveOutput {
 public:
  // Throws InputError where nothing can be written.
  explicit CurveOutput(const std::string& path) : file_(path) {}

  // Says how many, and of which tasks nothing succeeded.
  void Save(const FinishedSearch& search, Report& report);

 private:
  OutputFile file_;
};

}  // namespace schedulegym
