// Diagnostics of `doctor`: facts about the store and about noise, each with advice.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/measure/host/session_probe.h"
#include "experiments/cli/common/json.h"
#include "experiments/cli/common/report.h"

namespace schedulegym {

// A fact found by `doctor`, with advice to improve it.
struct Diagnostic {
  std::string name;
  std::string value;   // for display
  JsonObject fields;   // the same for programs
  std::string advice;  // empty if there is nothing to improve
};

// Formats one line: name, value, and the advice after an arrow.
std::string DiagnosticText(const Diagnostic& diagnostic);

// Reports an item with `name`, `value`, its own fields, and `advice`, null if there is none.
void ReportDiagnostic(const Diagnostic& diagnostic, Report& report);

// Checks the version of SQLite in use.
Diagnostic SqliteDiagnostic(const std::string& version, int version_number);

// Checks a store at `path`. `network` names its network file system, if it is on one. `in_memory`:
// its files are lost when the machine stops.
Diagnostic StorePlaceDiagnostic(const std::string& path, const std::optional<std::string>& network,
                                bool in_memory);

// Both of the above, for this program and the folder of `path`.
std::vector<Diagnostic> StoreDiagnostics(const std::string& path);

// Returns one for each known fact of a probe, in a fixed order, the grade last. `cores`: those that
// a kernel may use. `counters`: why events cannot be counted; nullopt if they can.
std::vector<Diagnostic> NoiseDiagnostics(const SessionProbe& probe, int cores,
                                         const std::optional<std::string>& counters);

}  // namespace schedulegym
