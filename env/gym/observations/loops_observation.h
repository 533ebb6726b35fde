// The observation `loops`: a row of numbers for each loop of a schedule.
#pragma once

#include <memory>

#include "env/base/spec.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {

// Four numbers about the episode, then `rows` rows (40 by default; 1 to 256) of kLoopNumbers each:
// the loops of the last stage from the outside, then those of the stage before it, and so on; rows
// that no loop is left for are 0. Throws InputError.
inline constexpr int kLoopNumbers = 16;
std::unique_ptr<Observation> MakeLoopsObservation(const Spec& spec);

}  // namespace schedulegym
