// The files of `tune --curves-out` and `tune --picture`: how the search of each task went.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "agents/schedulers/simulation/recorded_curve.h"
#include "agents/schedulers/simulation/simulation.h"
#include "agents/tuner/tuner.h"
#include "env/base/output_file.h"
#include "env/base/stop_token.h"
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

// How the latency of all came down.
struct SearchTrajectories {
  std::span<const TrajectoryPoint> known;  // by the best known
  std::span<const TrajectoryPoint> own;    // by the best of this search
};

// Of the tasks that had a trial. Refiners' trials are no part of a curve.
std::vector<RecordedCurve> CurvesOf(const FinishedSearch& search);

// The file of `tune --curves-out`, how the search of each task went.
class CurveOutput {
 public:
  // Throws InputError where nothing can be written.
  explicit CurveOutput(const std::string& path) : file_(path) {}

  // Says how many, and of which tasks nothing succeeded.
  void Save(const FinishedSearch& search, Report& report);

 private:
  OutputFile file_;
};

// The file of `tune --picture`.
class SearchPicture {
 public:
  // Throws InputError where nothing can be written.
  explicit SearchPicture(const std::string& path) : file_(path) {}

  // Of a search, and how the latency of all came down, by the best known and, where earlier
  // searches knew anything, by the best of this one; without extrapolations once `stop` is set.
  void Save(const FinishedSearch& search, const SearchTrajectories& trajectories,
            const StopToken& stop, Report& report);

 private:
  OutputFile file_;
};

}  // namespace schedulegym
