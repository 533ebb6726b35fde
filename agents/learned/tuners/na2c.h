// The agent `na2c`: an actor and its critic walk over places by moves of factors.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// N-A2C by the options of tuner_options.h. Throws InputError.
std::unique_ptr<Agent> MakeNa2cAgent(const AgentContext& context);

}  // namespace schedulegym
