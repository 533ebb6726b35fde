// LineAgent: an agent in any language, a command that speaks JSON on its stdin and stdout.
#pragma once

#include <memory>
#include <string>

#include "agents/agent.h"
#include "assembly/processes/agent_process.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {

// `process(command="...", ...)`: a command of the shell; what else the spec has is told to it. The
// process hears of the run at once (docs/reference/agent-protocol.md) and is ended where the search
// is interrupted or its seconds are over. Throws InputError for a bad spec, for what the agent says
// is wrong, and where it ends, is silent for ten minutes or answers what is no answer.
std::unique_ptr<Agent> MakeLineAgent(const AgentContext& context);

// The same of a process that was started already, with its pipes.
std::unique_ptr<Agent> MakeStartedLineAgent(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                            const AgentContext& context);

// What the spec of such an agent says of its command. Throws InputError where that is nothing.
std::string CommandOf(const Spec& agent);

}  // namespace schedulegym
