// DigitsTell: whether the cell that is touched tells the iteration, as a number tells its digits.
#pragma once

#include <cstddef>

#include "env/lower/buffer_access.h"

namespace schedulegym {

// Whether `a` in one iteration of a loop and `b` in another surely touch different cells. The facts
// of both begin with what holds around the loop, whose range is the fact `loop`. Shows less than a
// prover, in a few microseconds, and some that it does not: loops that were fused after splits that
// do not divide, and split again.
bool DigitsTell(const BufferAccess& a, const BufferAccess& b, size_t loop);

}  // namespace schedulegym
