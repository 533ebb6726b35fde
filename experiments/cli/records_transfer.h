// Records transfer: `records export` and `records import`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/cli/common/session.h"

namespace schedulegym {

// What becomes of another system's records.
inline constexpr const char* kForeignKept =
    "costs and configurations kept, not replayable here: their kernels are made by other rules";

// Each gives the exit code. The file appears whole or not at all, and stays after a power cut.
int ExportAll(Session& session, const std::string& path);
// The measured records of the space `ansor` as lines of Ansor's log (ansor_programs.h). What has no
// such line is left out, told of and counted.
int ExportAnsor(Session& session, const std::string& path);
// The best record of each task.
int ExportBest(Session& session, const std::string& path);
// Lines that are not intact go to FILE.rejected.
int ImportRecords(Session& session, const std::string& path);
struct PackOptions {
  std::vector<std::string> files;         // stores and what else is read; none: the session's store
  std::string out;                        // the file of programs
  std::optional<int> tasks, programs;     // so many of them (SampleOf)
  std::vector<std::string> computations;  // HASH=WORKLOAD, of logs of Ansor's
};

// Measured programs of these files.
int PackRecords(Session& session, const PackOptions& options);

}  // namespace schedulegym
