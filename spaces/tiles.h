// The space `tiles`: multi-level tiles of heavy stages, with packing, fusion and partial sums.
#pragma once

#include <memory>

#include "env/base/spec.h"
#include "env/search/search_space.h"

namespace schedulegym {

// Options: pack, whether tensors may be rewritten into panels; sensible, the share of register
// tiles that surely fit the registers; code, the most operations that a candidate's code may hold.
// Throws InputError.
std::unique_ptr<SearchSpace> MakeTilesSpace(const Spec& spec);

}  // namespace schedulegym
