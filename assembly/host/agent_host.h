// Agent host: the side of a process that is an agent of a search elsewhere.
#pragma once

#include <vector>

#include "agents/agent_maker.h"
#include "backends/runner/process/descriptor.h"

namespace schedulegym {

// Answers what comes over the socket (agent_messages.h) until it is closed: first plugins, whose
// agents are added to `agents`, then the setup, by which one of these is made in the space that it
// names, then questions. What is wrong is refused, and the next question heard. Chance comes from
// the setup's seed alone. Between questions it sleeps.
void RunAgentHost(Descriptor socket, std::vector<AgentEntry> agents);

}  // namespace schedulegym
