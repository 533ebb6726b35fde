#include "tests/assembly/hosted_process.h"

namespace schedulegym {

std::unique_ptr<WorkerProcess> HostedRunParts::Host() {
  return std::make_unique<WorkerProcess>(SG_AGENT, "agent");
}

}  // namespace schedulegym
