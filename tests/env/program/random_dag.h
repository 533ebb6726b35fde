// RandomDag: random computations of every type and operator, for property tests.
#pragma once

#include "env/base/rng.h"
#include "env/program/compute_dag.h"

namespace schedulegym {

// Two to four inputs, one to four definitions; a % keeps every read in bounds.
ComputeDag RandomDag(Rng& rng);

}  // namespace schedulegym
