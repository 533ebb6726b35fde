// MachineParts: what this build and this machine lack for a target, found out without using it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "env/program/targets/host.h"
#include "env/program/targets/target.h"

namespace schedulegym {

// "" if nothing: then a MachineError is no excuse. A backend is lacking where the build has no code
// generator of it, a processor where it has not all of the target's features.
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
