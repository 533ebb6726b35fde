// The action space `construct`: schedules from the naive program, stage by stage.
#pragma once

#include <memory>

#include "env/base/spec.h"
#include "env/gym/actions/action_space.h"

namespace schedulegym {

// An episode begins at the naive program with the last stage at hand; a move of the menu
// (construct_menu.h) is the next primitive, goes on to the stage before, or stops. Moves of one
// kind in a row add to one primitive: splitting an outer loop that was just split gives one split
// of more lengths, reordering again one permutation, fusing again one fusion. No options. Throws
// InputError.
std::unique_ptr<ActionSpace> MakeConstructSpace(const Spec& spec);

}  // namespace schedulegym
