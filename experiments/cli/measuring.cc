#include "experiments/cli/measuring.h"

#include "backends/interpreter/interpreter.h"
#include "backends/runner/host_measurer.h"
#include "spaces/reference.h"

namespace schedulegym {

std::unique_ptr<Measurer> MakeCommandMeasurer(const Target& target, const Protocol& protocol,
                                              uint64_t seed) {
  return MakeHostMeasurer(target, {protocol, seed, ReferenceSchedule, MakeInterpreter});
}

}  // namespace schedulegym
