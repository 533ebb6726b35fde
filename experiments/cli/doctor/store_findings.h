// Store findings: whether records are safe where they are kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/cli/doctor/finding.h"

namespace schedulegym {

// Of the SQLite in use.
Finding SqliteFinding(const std::string& version, int version_number);

// Of a store at `path`: `network` names the network file system below it, if it is one;
// `in_memory` says that its files are lost when the machine stops.
Finding StorePlaceFinding(const std::string& path, const std::optional<std::string>& network,
                          bool in_memory);

// Both, of this program and of the folder of `path`.
std::vector<Finding> StoreFindings(const std::string& path);

}  // namespace schedulegym
