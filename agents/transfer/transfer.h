// The agent `transfer`: the best schedules of other tasks of a family, replayed.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

std::unique_ptr<Agent> MakeTransferAgent(const AgentContext& context);

}  // namespace schedulegym
