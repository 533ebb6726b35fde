// QDirections: a network that chooses among the moves of a place.
#pragma once

#include <memory>

#include "agents/local/flextensor.h"

namespace schedulegym {

// FlexTensor's moves, with one network for all decisions, whose inputs are the place and the change
// of the move. As DirectionsMaker.
std::unique_ptr<MoveDirections> MakeQDirections(const KnobField& field,
                                                const DirectionsOptions& options, Rng rng);

}  // namespace schedulegym
