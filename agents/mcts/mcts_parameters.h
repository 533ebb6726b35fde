// MctsParameters: the options of the agent `mcts` as its spec says them.
#pragma once

#include <vector>

#include "agents/mcts/mcts_options.h"
#include "env/base/spec.h"

namespace schedulegym {

// Those of `uct` and `puct` by a model, whose trees are told by it; but `mode`, which only says
// what the others begin as, `prior` and `tree`. `growth` alone where `branching` makes it act.
std::vector<SpecOption> MctsParameters(const MctsOptions& options);

}  // namespace schedulegym
