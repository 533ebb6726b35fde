// RandomComputation: random computations of the shapes that are hard for schedules.
#pragma once

#include <string>

#include "env/base/rng.h"
#include "env/program/compute_dag.h"

namespace schedulegym {

// Chains and diamonds of stencils, transposes, strided and reversed reads, padding, windows,
// products and reductions by every combiner, on i32, i8, or such f32 that every schedule gives the
// same bits. All reads are in bounds.
ComputeDag RandomComputation(Rng& rng);

}  // namespace schedulegym
