#include "experiments/cli/measuring.h"

#include "backends/backend.h"
#include "backends/runner/in_process_measurer.h"
#include "backends/runner/process/worker_process.h"
#include "backends/runner/worker_measurer.h"
#include "spaces/reference.h"

namespace schedulegym {

std::unique_ptr<Measurer> MakeCommandMeasurer(const Protocol& protocol, uint64_t seed) {
  if (true) {
    WorkerOptions options;
    options.program = FindWorkerProgram();
    options.protocol = ProtocolText(protocol);
    options.seed = seed;
    options.reference = ReferenceSchedule;
    return MakeWorkerMeasurer(std::move(options));
  }
  InProcessOptions options;
  options.protocol = protocol;
  options.seed = seed;
  options.reference = ReferenceSchedule;
  options.make_backend = MakeBackend;
  return MakeInProcessMeasurer(std::move(options));
}

}  // namespace schedulegym
