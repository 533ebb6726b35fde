// The observation `ansor`: the 164 numbers by which Ansor's cost model knows each stored buffer.
#pragma once

#include <memory>

#include "env/base/spec.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {

// AnsorFeatures as they are, clipped to the bounds, which no real schedule reaches: `rows` rows (16
// by default; 1 to 64) of a mask and the 164 numbers, in the features' order. Where there are more
// statements the last ones are kept, the outputs among them; rows without a statement are 0.
// `pooled`: instead of rows, how many there are, then the greatest and the mean of each number.
// A logarithm's maximum is the dearest statement, which a sum of logarithms would bury. Throws
// InputError.
std::unique_ptr<Observation> MakeAnsorObservation(const Spec& spec);

}  // namespace schedulegym
