// The agent `guided`: walks through the decisions of a schedule that a model guides.
#pragma once

#include <memory>

#include "agents/agent.h"
#include "env/base/spec.h"

namespace schedulegym {

// Options: samples, the walks of a round (100); k, how many of the best that they visited are
// measured (10); depth, the decisions of a walk, at most (0: all); model and order, as agent mcts
// has them. The published numbers are parameters of the user's. Throws InputError.
std::unique_ptr<Agent> MakeGuidedAgent(const AgentContext& context);

}  // namespace schedulegym
