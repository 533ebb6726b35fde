// GrammarComputation: random computations from the whole grammar of `.dag`.
#pragma once

#include "env/base/rng.h"
#include "env/program/compute_dag.h"

namespace schedulegym {

struct GrammarOptions {
  double halves = 0.02;       // share of computations that convert to f16 or bf16 and back
  int64_t most_work = 60000;  // innermost steps of the naive program
};

// Every operation and conversion, nested selects, conditions on data, shared divisors, powers, each
// kind of reduction over one axis or two, several outputs, small awkward extents; inputs and
// definitions of f32, f64, i32 and i8. Most arguments of functions lie within their domain.
ComputeDag GrammarComputation(Rng& rng, const GrammarOptions& options = {});

}  // namespace schedulegym
