// WithWholeTiles: a space of knobs in which each tile is one of them.
#pragma once

#include "env/search/knob_space.h"

namespace schedulegym {

// The same schedules, where all lengths of a tile that have to divide are one knob, its values in
// the order of WaysOf (as AutoTVM has it). It stands where the first of them did; no tiles are
// left.
KnobSpace WithWholeTiles(const KnobSpace& space);

}  // namespace schedulegym
