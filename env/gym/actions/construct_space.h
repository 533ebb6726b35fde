// The action space `construct`: schedules from the naive program, stage by stage.
#pragma once

#include <memory>

#include "env/base/spec.h"
#include "env/gym/actions/action_space.h"

namespace schedulegym {

// An episode begins at the naive program; the current stage is the last one. A move of the menu
// (construct_menu.h) applies the next primitive, goes on to the stage before, or stops. Consecutive
// moves of one kind extend one primitive: splitting an outer loop that was just split gives one
// split of more lengths, reordering again one permutation, fusing again one fusion. No options.
// Throws InputError.
std::unique_ptr<ActionSpace> MakeConstructSpace(const Spec& spec);

}  // namespace schedulegym
