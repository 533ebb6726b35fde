// Partition: the part of a loop in which the conditions of its stage surely hold.
#pragma once

#include <optional>

#include "env/lower/builder.h"
#include "env/lower/nest.h"

namespace schedulegym {

// The iterations of the loop at `position`, of the given extent, in which every condition that the
// loop decides (a linear comparison in the nest's conditions, or at the top of its select) holds
// whatever the other loops do. None where no condition depends on the loop, or no iteration is so.
std::optional<Range> SurelyTrueIterations(ProgramBuilder& builder, const Nest& nest, int position,
                                          int64_t extent);

}  // namespace schedulegym
