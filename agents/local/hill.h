// The agent `hill`: climbs by the first better neighbour, and begins anew where there is none.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// Multi-start hill climbing as Kernel Tuner has it (greedy_mls). Options: patience, neighbours in a
// row without a gain after which it begins anew. Throws InputError.
std::unique_ptr<Agent> MakeHillAgent(const AgentContext& context);

}  // namespace schedulegym
