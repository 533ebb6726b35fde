// The observation `task`: what is to be computed, and on what.
#pragma once

#include <memory>

#include "env/base/spec.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {

// The target's facts, then those of the computation as a whole, then `definitions` rows (8 by
// default; 1 to 64): the definitions from the last towards the inputs; rows that no definition is
// left for are 0. The same at every place of a task's episodes. Throws InputError.
std::unique_ptr<Observation> MakeTaskObservation(const Spec& spec);

}  // namespace schedulegym
