// The agent `mcts`: tree search over the decisions of a schedule.
#pragma once

#include <memory>

#include "agents/agent.h"
#include "agents/mcts/action_policy.h"
#include "env/base/spec.h"

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

// The same where policies can be read; without a reader, one that is asked for throws MachineError.
std::unique_ptr<Agent> MakeMctsAgent(const AgentContext& context, const PolicyReader& reader);

}  // namespace schedulegym
