// Agent host: the side of a process that is an agent of a search elsewhere.
#pragma once

#include <atomic>
#include <vector>

#include "agents/agent_maker.h"
#include "env/ipc/descriptor.h"

namespace schedulegym {

// Answers what comes over the socket (agent_messages.h) until it is closed: first plugins, whose
// agents are added to `agents`, then the setup, by which one of these is made in the space that it
// names, then questions. What is wrong is refused, and the next question heard. Chance comes from
// the setup's seed alone. Between questions it sleeps. Once `stop` is set, what is proposed and
// learned is given up, and refused, until something else is asked.
void RunAgentHost(Descriptor socket, std::vector<AgentEntry> agents, std::atomic<bool>& stop);

}  // namespace schedulegym
