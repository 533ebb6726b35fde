// The agent `annealing`: walks among measured schedules, at first to slower ones, too.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// Simulated annealing as Kernel Tuner has it. Options: start and end, the temperatures of the first
// and of the last trial; steps, the trials in which it cools, by default those of the search;
// adjacent, the share of neighbours that are one step along one knob; chains that walk side by
// side. Throws InputError.
std::unique_ptr<Agent> MakeAnnealingAgent(const AgentContext& context);

}  // namespace schedulegym
