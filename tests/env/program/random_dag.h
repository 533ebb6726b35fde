// RandomDag: computations of every type and operator, for tests of properties.
#pragma once

#include "env/base/rng.h"
#include "env/program/compute_dag.h"

namespace schedulegym {

// Two to four inputs, one to four definitions; every read in bounds by its own %.
ComputeDag RandomDag(Rng& rng);

}  // namespace schedulegym
