// LoopPlace: a loop of another stage at which a stage may be computed.
#pragma once

#include <vector>

#include "env/schedule/state.h"

namespace schedulegym {

struct LoopPlace {
  int target = 0;
  int loop = 0;

  bool operator==(const LoopPlace&) const = default;
};

// Loops of one iteration are left out once tiles have their lengths; before, all have one.
enum class PlaceFilter { kLongerThanOne, kAll };

// Where Ansor would compute a stage that it has not tiled, beside the root: loops of its reader (or
// of what all readers stand in), from the outside, as far as no reduction, unrolled loop or other
// stage stands in the way.
std::vector<LoopPlace> PlacesFor(const ScheduleState& state, int stage,
                                 PlaceFilter filter = PlaceFilter::kLongerThanOne);

}  // namespace schedulegym
