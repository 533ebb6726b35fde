// The agents `annealing`, `hill` and `local`: local searches over measured schedules.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// Iterated local search (Lourenço, Martin, Stützle 2003) as in Kernel Tuner (greedy_ils), but by
// the best of several neighbours. Options: neighbours, measured before each step; patience,
// neighbours without a gain that end a walk; walk, the share of a schedule's decisions that are
// redrawn for the start of the next walk. Throws InputError.
std::unique_ptr<Agent> MakeLocalAgent(const AgentContext& context);

// Simulated annealing as in Kernel Tuner. Options: start and end, the temperatures of the first and
// the last trial; steps, the trials over which it cools (default: those of the search); adjacent,
// the share of neighbours that are one step along one knob; chains, the number of concurrent walks.
// Throws InputError.
std::unique_ptr<Agent> MakeAnnealingAgent(const AgentContext& context);

// Multi-start hill climbing as in Kernel Tuner (greedy_mls). Options: patience, neighbours in a row
// without a gain after which it restarts. Throws InputError.
std::unique_ptr<Agent> MakeHillAgent(const AgentContext& context);

}  // namespace schedulegym
