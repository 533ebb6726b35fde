// The agent `flextensor`: annealed choice among measured places, then all or some of their moves.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// FlexTensor (Zheng et al., "FlexTensor: an automatic schedule exploration and optimization
// framework for tensor computation on heterogeneous system", ASPLOS 2020) without its network.
// Options: mode, `faithful` or `improved`; method, `p` (all moves of one place) or `random` (one
// move of each decision of several places); warm, places by chance before; gamma, how seldom slower
// places are taken; parallel, places by chance or begun from at once; moves, measured of one place
// at most (0: all); retire, whether the best leaves when no move of it is better; stop, turns
// without a change that end the search (0: none); retries. Throws InputError.
std::unique_ptr<Agent> MakeFlextensorAgent(const AgentContext& context);

// exp(-gamma * (seconds - best) / best), with which a place is taken or remembered.
double FlextensorAcceptance(double seconds, double best, double gamma);

}  // namespace schedulegym
