// Records pack: measured programs of stores, tables and logs as one file to learn from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/cli/common/session.h"

namespace schedulegym {

struct PackOptions {
  std::vector<std::string> files;  // stores, tables and packed files; empty: the session's store
  std::string out;                 // the file of programs
  std::optional<int> tasks, programs;     // limits (SampleOf)
  std::vector<std::string> computations;  // HASH=WORKLOAD, of logs of Ansor's
};

// Measured programs of these files.
int PackRecords(Session& session, const PackOptions& options);

}  // namespace schedulegym
