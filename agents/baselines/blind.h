// The agent `blind`: another agent that is told measurements of other schedules than its own.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// A control: it finds what the other agent finds by what that knows beforehand, and by chance. The
// run keeps what was measured as it is. Option: agent. Throws InputError.
std::unique_ptr<Agent> MakeBlindAgent(const AgentContext& context);

}  // namespace schedulegym
