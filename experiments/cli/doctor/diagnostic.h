// Diagnostics of `doctor`: one fact each, with how to improve it; of the store and of noise.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/measure/host/session_probe.h"
#include "experiments/cli/common/json.h"
#include "experiments/cli/common/report.h"

namespace schedulegym {

// One thing that `doctor` has found out, and how to make it better.
struct Diagnostic {
  std::string name;
  std::string value;   // for people
  JsonObject fields;   // the same for programs
  std::string advice;  // empty where nothing is to be bettered
};

// One line: name, value, advice behind an arrow.
std::string DiagnosticText(const Diagnostic& diagnostic);

// As an item with `name`, `value`, its own fields, and `advice`, null where there is none.
void ReportDiagnostic(const Diagnostic& diagnostic, Report& report);

// Of the SQLite in use.
Diagnostic SqliteDiagnostic(const std::string& version, int version_number);

// Of a store at `path`: `network` names the network file system below it, if it is one;
// `in_memory` says that its files are lost when the machine stops.
Diagnostic StorePlaceDiagnostic(const std::string& path, const std::optional<std::string>& network,
                                bool in_memory);

// Both, of this program and of the folder of `path`.
std::vector<Diagnostic> StoreDiagnostics(const std::string& path);

// One for each fact that a probe knows, in a fixed order, the grade last. `cores` are those that a
// kernel may use; `counters` is why events cannot be counted, none where they can.
std::vector<Diagnostic> NoiseDiagnostics(const SessionProbe& probe, int cores,
                                         const std::optional<std::string>& counters);

}  // namespace schedulegym
