// The agent `mcts`: tree search over decisions, or over the actions of an action space.
#pragma once

#include <memory>

#include "agents/agent.h"
#include "agents/cost/network_model.h"
#include "agents/decisions/tree_place.h"
#include "agents/mcts/action_policy.h"
#include "env/base/spec.h"
#include "env/gym/actions/action_space.h"

namespace schedulegym {

// Options: form, `uct`, `puct` (its prior is `uniform`, of the `model` or of a `policy`),
// `measured` (tinygrad's: no model, each new node is measured) or `protuner` (Haj-Ali et al., arXiv
// 2005.13685: an ensemble decides one decision after another); tree, a file to save the trees to;
// actions: `decisions` in an order, or at most `depth` actions of `modify` or `construct`. For uct
// and puct: mode, `improved` or `faithful`; reward, `model` or `measured`; constant, branching and
// growth (a node with N visits opens branching N^growth children; 0: all at once), value, scaled,
// joins, local; with the model also features, iterations, trees, leaves, near, epsilon, doubted,
// reuse, round, waits. Throws InputError, also for `construct` in a space of recorded schedules.
std::unique_ptr<Agent> MakeMctsAgent(const AgentContext& context);

// The same with readers of policies and of networks as models. Without a reader, a spec with a
// policy throws MachineError.
std::unique_ptr<Agent> MakeMctsAgent(const AgentContext& context, const PolicyReader& policies,
                                     const NetworkReader& networks = {});

// Walk places: the actions of an action space as decisions of a tree search.
struct EpisodeBounds {
  int depth = 8;  // maximum number of actions in an episode
  // True ends a random completion after a drawn number of actions. False continues as long as the
  // depth allows and an action other than stopping is legal.
  bool completes_early = true;
};

// The root of the walks of a task. The children of a place are its legal actions, including
// stopping; none returns to an earlier place of the episode. Places hold the actions, and take
// their Prior() from the policy, if there is one.
std::shared_ptr<const TreePlace> FirstStep(std::shared_ptr<const ActionSpace> actions,
                                           const std::shared_ptr<const Task>& task,
                                           const EpisodeBounds& bounds, Rng& rng,
                                           std::shared_ptr<const ActionPolicy> policy = nullptr);

}  // namespace schedulegym
