// Noise findings: what makes measured times worse on this machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/measure/host/session_probe.h"
#include "experiments/cli/doctor/finding.h"

namespace schedulegym {

// One for each fact that a probe knows, in a fixed order, the grade last. `cores` are those that a
// kernel may use; `counters` is why events cannot be counted, none where they can.
std::vector<Finding> NoiseFindings(const SessionProbe& probe, int cores,
                                   const std::optional<std::string>& counters);

}  // namespace schedulegym
