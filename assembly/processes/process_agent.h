// ProcessAgent: an agent in a process of its own, reached by messages.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agents/agent.h"
#include "assembly/processes/agent_peer.h"
#include "env/base/shelf.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {

// Sends the context's setup, if it has tasks, as the first message (agent_messages.h), and then one
// question at a time. What the other side refuses is thrown as it is there; MachineError, or
// InputError where the process is none of ours, where it ends or says what is no answer, and where
// it says nothing for as long as its side may, at first for as long as loading may take;
// Interrupted where the search ends, or its seconds do, before it answers. Its memory is the
// agent's there.
std::unique_ptr<Agent> MakeProcessAgent(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                        const AgentContext& context);

// Of the last of the side's plugins: the agents that it adds, none of which is made. Throws as
// above, but after half a minute of silence.
std::vector<CatalogLine> LinesOfPlugin(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                       const Clock& clock);

}  // namespace schedulegym
