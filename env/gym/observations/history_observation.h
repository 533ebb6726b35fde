// The observation `history`: the last actions of an episode.
#pragma once

#include <memory>

#include "env/base/spec.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {

// Four numbers about the episode, then a mask and a number for each of the last `length` actions
// (16 by default; 1 to 1024), the newest first. Asks for no schedule. Throws InputError.
std::unique_ptr<Observation> MakeHistoryObservation(const Spec& spec);

}  // namespace schedulegym
