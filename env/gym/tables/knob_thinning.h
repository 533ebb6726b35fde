// KnobThinning: a part of a space of knobs that is small enough to be measured whole.
#pragma once

#include <cstdint>
#include <vector>

#include "env/base/rng.h"
#include "env/gym/tables/table.h"
#include "env/search/knob_space.h"

namespace schedulegym {

// A grid of fewer values, and all of its points at which there is a schedule.
struct ThinGrid {
  std::vector<TableKnob> knobs;  // those with two values or more
  std::vector<KnobTile> tiles;
  std::vector<KnobPoint> points;
  std::vector<ScheduleState> states;  // by point
};

// Which value of a knob goes first, of those that are not the good point's: the one furthest from
// it, or one between two that are close, so that what stays reaches from end to end.
enum class ThinningRule : uint8_t { kNear, kEven };

// Of at most `most` points. What stays is around a good one: the best of 256 drawn at random, by
// the analytical estimate, and from there knob by knob to what is faster still. As long as there
// are too many points, the knob that has the most values loses one: of a tile one that is no power
// of two, if it has any, else any; of these by the rule. That point's stays to the last. The first
// of equal knobs, the higher of equal values. A value of a knob that is no tile's means its
// position in the whole space.
ThinGrid ThinOut(const KnobSpace& space, int64_t most, Rng& rng,
                 ThinningRule rule = ThinningRule::kNear);

// The first knob is `sketch`, which grid a point is of. Knobs of the same name and values are one
// unless they are a tile's; those that a point's sketch lacks stand where the first point that has
// them stands, so that lengths of tiles divide. Grids without points are left out; of one that is
// left there is nothing to join, and it stays what it is.
ThinGrid JoinGrids(std::vector<ThinGrid> grids);

}  // namespace schedulegym
