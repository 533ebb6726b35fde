// Records transfer: `records export` and `records import`.
#pragma once

#include <string>

#include "experiments/cli/common/session.h"

namespace schedulegym {

// Note on imported records of another system.
inline constexpr const char* kForeignKept =
    "costs and configurations kept, not replayable here: their kernels are made by other rules";

// Each gives the exit code. The file appears whole or not at all, and stays after a power cut.
int ExportAll(Session& session, const std::string& path);
// Writes the measured records of the space `ansor` as lines of Ansor's log (ansor_programs.h).
// Records without such a line are left out, reported and counted.
int ExportAnsor(Session& session, const std::string& path);
// The best record of each task.
int ExportBest(Session& session, const std::string& path);
// Lines that are not intact go to FILE.rejected.
int ImportRecords(Session& session, const std::string& path);

}  // namespace schedulegym
