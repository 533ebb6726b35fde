// HalfReductions: reductions of f16 and bf16, which accumulate in f32.
#pragma once

#include <vector>

#include "env/program/compute_dag.h"

namespace schedulegym {

// Each reduction C of a half type becomes two definitions. C_f32, behind all others, reduces in
// f32; C rounds it. The terms are those of C, but a factor of a sum's product becomes f32 first, so
// the product is exact. `tensors` are well formed.
std::vector<Tensor> SplitHalfReductions(std::vector<Tensor> tensors);

}  // namespace schedulegym
