// The agent `local`: local search that, where it ends, goes on near the best end so far.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// Iterated local search (Lourenço, Martin, Stützle 2003) as Kernel Tuner has it (greedy_ils), but
// by the best of several neighbours. Options: neighbours, how many are measured before a step;
// patience, so many without a gain end a walk; walk, the share of a schedule's decisions that are
// made anew for the next one to begin with. Throws InputError.
std::unique_ptr<Agent> MakeLocalAgent(const AgentContext& context);

}  // namespace schedulegym
