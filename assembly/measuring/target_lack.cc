#include "assembly/measuring/target_lack.h"

#include "backends/runner/host_measurer.h"
#include "env/base/fault.h"
#include "env/program/targets/target.h"

namespace schedulegym {

std::optional<std::string> TargetLack(const Spec& target) {
  try {
    CheckMeasurable(MakeTarget(target));
    return std::nullopt;
  } catch (const MachineError& fault) {
    return fault.what();
  }
}

}  // namespace schedulegym
