// Walk places: the actions of an action space as decisions of a tree search.
#pragma once

#include <memory>

#include "agents/tree/action_policy.h"
#include "agents/tree/search_tree.h"
#include "agents/tree/tree_place.h"
#include "env/gym/action_space.h"

namespace schedulegym {

struct WalkBounds {
  int depth = 8;  // actions of a walk, at most
  // A walk that is completed by chance goes on for a drawn number of actions; else as long as it
  // may and something but stopping is legal.
  bool completes_early = true;
};

// Where walks of the task begin. Ways on are its legal actions, stopping among them; none leads
// back to where the walk was before. The places hold the actions.
std::shared_ptr<const TreePlace> FirstStep(std::shared_ptr<const ActionSpace> actions,
                                           const std::shared_ptr<const Task>& task,
                                           const WalkBounds& bounds, Rng& rng);

// Of such places: as likely as the policy takes each way on.
PriorOf PolicyPrior(std::shared_ptr<const ActionPolicy> policy);

}  // namespace schedulegym
