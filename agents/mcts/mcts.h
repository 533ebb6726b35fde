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

// Options: form, `uct`, `puct` (with a prior over ways on, `uniform`, by the `model` or by a
// `policy`), `measured` (tinygrad's: no model, each new node is measured) or `protuner` (Haj-Ali et
// al., arXiv 2005.13685: an ensemble decides one decision after another); tree, a file in which its
// trees are left; actions: `decisions` in an order, or actions of `modify` or `construct`, at most
// depth of them. Of uct and puct: mode, `improved` or `faithful`; reward, the `model` or what is
// `measured`; constant, branching and growth (of a node with N visits, branching N^growth ways are
// open; 0: all at once), value, scaled, joins, local; of the model, too: features, iterations,
// trees, leaves, near, epsilon, doubted, reuse, round, waits. Throws InputError, for `construct` in
// a space of recorded schedules, too.
std::unique_ptr<Agent> MakeMctsAgent(const AgentContext& context);

// The same where policies can be read, and networks as models; without a reader, a policy that is
// asked for throws MachineError.
std::unique_ptr<Agent> MakeMctsAgent(const AgentContext& context, const PolicyReader& policies,
                                     const NetworkReader& networks = {});

// Walk places: the actions of an action space as decisions of a tree search.
struct EpisodeBounds {
  int depth = 8;  // actions of an episode, at most
  // An episode that is completed by chance goes on for a drawn number of actions; else as long as
  // it may and something but stopping is legal.
  bool completes_early = true;
};

// Where walks of the task begin. Ways on are its legal actions, stopping among them; none leads
// back to where the episode was before. The places hold the actions, and take their Prior() from
// the policy, where there is one.
std::shared_ptr<const TreePlace> FirstStep(std::shared_ptr<const ActionSpace> actions,
                                           const std::shared_ptr<const Task>& task,
                                           const EpisodeBounds& bounds, Rng& rng,
                                           std::shared_ptr<const ActionPolicy> policy = nullptr);

}  // namespace schedulegym
