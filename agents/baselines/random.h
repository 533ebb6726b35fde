// The agent `random`: draws from the space, nothing twice; the line that every other must beat.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// Options: retries, how many draws in a row may lead nowhere or repeat before the space counts as
// exhausted.
std::unique_ptr<Agent> MakeRandomAgent(const AgentContext& context);

}  // namespace schedulegym
