// LineAgent: an agent in any language, as a command with JSON on its stdin and stdout.
#pragma once

#include <memory>
#include <string>

#include "agents/agent.h"
#include "assembly/processes/agent_process.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {

// `process(command="...", ...)`: a command of the shell, which gets the other options of the spec.
// The process gets the setup at once (docs/reference/agent-protocol.md), and is ended where the
// search is interrupted or its seconds are over. Throws InputError for a bad spec, for an error of
// the agent, and where it exits, does not answer for ten minutes, or answers wrongly.
std::unique_ptr<Agent> MakeLineAgent(const AgentContext& context);

// The same of a process that was started already, with its pipes.
std::unique_ptr<Agent> MakeStartedLineAgent(AgentSide side, std::unique_ptr<WorkerProcess> process,
                                            const AgentContext& context);

// The command in the spec of such an agent. Throws InputError where there is none.
std::string CommandOf(const Spec& agent);

}  // namespace schedulegym
