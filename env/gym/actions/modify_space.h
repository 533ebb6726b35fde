// The action space `modify`: steps from a complete schedule to ones that differ in one decision.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/gym/actions/action_space.h"
#include "env/gym/actions/modify_layout.h"
#include "env/search/search_space.h"

namespace schedulegym {

// Where walks of `modify` begin: at a point of a sketch drawn at random, or at the first sketch's
// origin, where nothing is optimised.
enum class ModifyStart { kRandom, kOrigin };

struct ModifyOptions {
  ModifyStart start = ModifyStart::kRandom;
  // Numbers of actions for at least so much, so that they are those of other tasks, too.
  ModifyRoom room = {};
};

// An episode begins at a point of a sketch of `space`. An action goes on to the next sketch, moves
// a prime factor between two levels of a tile, moves one other knob to the next lower or higher
// value, or stops. Every point is a schedule: a value that does not go with others acts as the next
// lower one that does. The next sketch takes over the tiles and the knobs that it has too; its
// others start unoptimised. Numbers of actions are the same for all of `tasks`, the ones it may be
// asked about; as many tiles, levels and knobs as any of their sketches has. The space is not used
// beyond the call. Throws InputError where it has no sketches of a task.
std::unique_ptr<ActionSpace> MakeModifySpace(std::string name, const SearchSpace& space,
                                             const std::vector<std::shared_ptr<const Task>>& tasks,
                                             const ModifyOptions& options = {});

}  // namespace schedulegym
