// Walk places: the actions of an action space as decisions of a tree search.
#pragma once

#include <memory>

#include "agents/decisions/tree_place.h"
#include "agents/mcts/action_policy.h"
#include "env/gym/actions/action_space.h"

namespace schedulegym {

struct WalkBounds {
  int depth = 8;  // actions of a walk, at most
  // A walk that is completed by chance goes on for a drawn number of actions; else as long as it
  // may and something but stopping is legal.
  bool completes_early = true;
};

// Where walks of the task begin. Ways on are its legal actions, stopping among them; none leads
// back to where the walk was before. The places hold the actions, and take their Prior() from the
// policy, where there is one.
std::shared_ptr<const TreePlace> FirstStep(std::shared_ptr<const ActionSpace> actions,
                                           const std::shared_ptr<const Task>& task,
                                           const WalkBounds& bounds, Rng& rng,
                                           std::shared_ptr<const ActionPolicy> policy = nullptr);

}  // namespace schedulegym
