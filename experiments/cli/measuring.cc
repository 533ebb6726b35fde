#include "experiments/cli/measuring.h"

#include "backends/backend.h"
#include "backends/runner/in_process_measurer.h"
#include "spaces/reference.h"

namespace schedulegym {

std::unique_ptr<Measurer> MakeCommandMeasurer(const Protocol& protocol, uint64_t seed) {
  InProcessOptions options;
  options.protocol = protocol;
  options.seed = seed;
  options.reference = ReferenceSchedule;
  options.make_backend = MakeBackend;
  return MakeInProcessMeasurer(std::move(options));
}

}  // namespace schedulegym
