// Learned agents: those on LibTorch, whether this program was built with it or not.
#pragma once

#include <vector>

#include "agents/agent_maker.h"

namespace schedulegym {

// Without LibTorch making one throws MachineError, which names the package that is missing.
std::vector<AgentEntry> LearnedAgents();

}  // namespace schedulegym
