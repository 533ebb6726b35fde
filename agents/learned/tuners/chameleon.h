// The agent `chameleon`: a policy explores under regression trees, and clusters choose the plan.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// Chameleon by the options of tuner_options.h. Throws InputError.
std::unique_ptr<Agent> MakeChameleonAgent(const AgentContext& context);

}  // namespace schedulegym
