// MachineParts: parts of a target that this build or machine lacks, found without using it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "env/program/targets/host.h"
#include "env/program/targets/target.h"

namespace schedulegym {

// "" if nothing is missing: then a MachineError is a failure. A backend is missing if the build has
// no code generator for it, a CPU if it lacks one of the target's features.
inline std::string LackOf(const Target& target) {
  if (target.backend == BackendKind::kInterpreter) return "";
  if (target.backend != BackendKind::kLlvm || ToolchainName() == "interpreter") {
    return "this build has no backend " + std::string(target.BackendName());
  }
  const std::vector<std::string> offered = HostFeatures();
  for (const std::string& feature : target.features) {
    if (!std::binary_search(offered.begin(), offered.end(), feature)) {
      return "this processor lacks " + feature;
    }
  }
  return "";
}

}  // namespace schedulegym
