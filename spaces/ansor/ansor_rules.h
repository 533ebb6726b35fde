// Ansor's sketch rules for CPUs.
#pragma once

#include <vector>

#include "spaces/ansor/sketch_rule.h"

namespace schedulegym {

// In the order of the published code (TVM 0.8 to 0.19, auto_scheduler): inline, rfactor,
// cache_write, tile_and_fuse, tile, skip. The rule for Winograd's constant tensors has no
// counterpart: nothing declares such tensors.
std::vector<SketchRule> AnsorRules();

}  // namespace schedulegym
