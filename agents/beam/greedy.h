// The agent `greedy`: the best of each decision, one after another.
#pragma once

#include <memory>

#include "agents/agent.h"
#include "env/base/spec.h"

namespace schedulegym {

// A beam of one, in one pass, by the model, as ProTuner is compared with it. Options: model, order
// and round, as agent mcts has them. Throws InputError.
std::unique_ptr<Agent> MakeGreedyAgent(const AgentContext& context);

}  // namespace schedulegym
