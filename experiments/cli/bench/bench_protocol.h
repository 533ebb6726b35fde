// Bench protocol: how often the measuring protocol errs on this machine, at rest and beside busy
// processes.
#pragma once

#include <cstdint>

#include "env/measure/protocol.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/session.h"

namespace schedulegym {

// `pairs` equal ones and as many that differ by 3 %, for each of: one thread, all cores; alone, and
// beside two processes that do nothing but compute.
int BenchProtocol(Session& session, const Protocol& protocol, int64_t pairs,
                  const InterruptScope& interrupt);

}  // namespace schedulegym
