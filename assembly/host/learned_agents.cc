#include "assembly/host/learned_agents.h"

#include "agents/learned/harl/harl.h"

namespace schedulegym {

std::vector<AgentEntry> LearnedAgents() { return {HarlEntry()}; }

}  // namespace schedulegym
