// The agents `annealing`, `hill` and `local`: local searches over measured schedules.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// Iterated local search (Lourenço, Martin, Stützle 2003) as Kernel Tuner has it (greedy_ils), but
// by the best of several neighbours. Options: neighbours, how many are measured before a step;
// patience, so many without a gain end a walk; walk, the share of a schedule's decisions that are
// made anew for the next one to begin with. Throws InputError.
std::unique_ptr<Agent> MakeLocalAgent(const AgentContext& context);

// Simulated annealing as Kernel Tuner has it. Options: start and end, the temperatures of the first
// and of the last trial; steps, the trials in which it cools, by default those of the search;
// adjacent, the share of neighbours that are one step along one knob; chains that walk side by
// side. Throws InputError.
std::unique_ptr<Agent> MakeAnnealingAgent(const AgentContext& context);

// Multi-start hill climbing as Kernel Tuner has it (greedy_mls). Options: patience, neighbours in a
// row without a gain after which it begins anew. Throws InputError.
std::unique_ptr<Agent> MakeHillAgent(const AgentContext& context);

}  // namespace schedulegym
