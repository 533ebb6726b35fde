// KnobThinning: a part of a knob space that is small enough to measure completely.
#pragma once

#include <cstdint>
#include <vector>

#include "env/base/rng.h"
#include "env/gym/tables/table.h"
#include "env/search/knob_space.h"

namespace schedulegym {

// A grid of fewer values, with all of its points that have a schedule.
struct ThinGrid {
  std::vector<TableKnob> knobs;  // knobs with at least two values
  std::vector<KnobTile> tiles;
  std::vector<KnobPoint> points;
  std::vector<ScheduleState> states;  // by point
};

// Which value of a knob is dropped first, other than the good point's. kNear: the one furthest from
// it. kEven: the one between the closest neighbours, so that the range is kept end to end.
enum class ThinningRule : uint8_t { kNear, kEven };

// Returns a grid of at most `most` points around a good one. The good point is the best of 256
// random points by the analytical estimate, improved knob by knob. While there are too many points,
// the knob with the most values loses one. In a tile this is a length that is no power of two, if
// it has any; `rule` chooses among these. The good point's value is kept. Ties: the first of
// equal knobs, the higher of equal values. A value of a knob outside tiles means its position in
// the whole space.
ThinGrid ThinOut(const KnobSpace& space, int64_t most, Rng& rng,
                 ThinningRule rule = ThinningRule::kNear);

// Joins grids. The first knob is `sketch`, the grid of a point. Knobs of the same name and values
// are merged, except those of tiles. At points whose sketch lacks a knob, it has the value of the
// first point that has it, so that lengths of tiles divide. Grids without points are dropped. A
// single remaining grid is returned unchanged.
ThinGrid JoinGrids(std::vector<ThinGrid> grids);

}  // namespace schedulegym
