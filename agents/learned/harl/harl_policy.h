// HarlPolicy: a policy that `harl` trained, for searches by others.
#pragma once

#include <memory>

#include "agents/mcts/action_policy.h"

namespace schedulegym {

// Of a checkpoint of `harl`, or of `train harl`. Throws InputError, one line, for a file of
// something else, or a policy for other actions, features or targets than the task's.
TrainedActions ReadHarlPolicy(const PolicyFile& file, const SearchSpace& space,
                              const std::shared_ptr<const Task>& task);

}  // namespace schedulegym
