// The observation `knobs`: where a walk stands among the points of its knobs.
#pragma once

#include <memory>

#include "env/base/spec.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {

// The share of the episode that is used, then a mask and a value for each of `most` knobs (48 by
// default; 1 to 1024), the first ones where there are more; all 0 where a walk has none. Asks for
// no schedule, so that it tells of foreign kernels too. Throws InputError.
std::unique_ptr<Observation> MakeKnobsObservation(const Spec& spec);

}  // namespace schedulegym
