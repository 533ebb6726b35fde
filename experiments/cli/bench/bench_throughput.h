// Bench throughput: how many trials a second a search gets, and where the time of each goes.
#pragma once

#include <cstdint>

#include "env/base/spec.h"
#include "experiments/cli/common/interrupt.h"
#include "experiments/cli/common/session.h"

namespace schedulegym {

// A product of 512 x 512 matrices, distinct candidates of the random agent, every check on, on all
// cores and on one; records go to a store on disk that is thrown away.
int BenchThroughput(Session& session, const Spec& protocol, int64_t trials,
                    const InterruptScope& interrupt);

}  // namespace schedulegym
