// JoinedGrids: the thinned grids of several sketches as one.
#pragma once

#include <vector>

#include "env/gym/tables/knob_thinning.h"

namespace schedulegym {

// The first knob is `sketch`, which grid a point is of. Knobs of the same name and values are one
// unless they are a tile's; those that a point's sketch lacks stand where the first point that has
// them stands, so that lengths of tiles divide. Grids without points are left out; of one that is
// left there is nothing to join, and it stays what it is.
ThinGrid JoinGrids(std::vector<ThinGrid> grids);

}  // namespace schedulegym
