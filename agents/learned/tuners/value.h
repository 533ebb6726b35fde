// The agent `value`: schedules decided stage by stage, by a network that knows what partial ones
// can become.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// Options: ValueOptions. Throws InputError, for a model that is no file of train stages, too.
std::unique_ptr<Agent> MakeValueAgent(const AgentContext& context);

}  // namespace schedulegym
