// The agent `heron`: a genetic search over solutions of a constraint problem.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// Heron (Bi et al., "Heron: automatically constrained high-performance library generation for deep
// learning accelerators", ASPLOS 2023). Options: mode, `faithful` or `improved` (small plans at
// first, neighbours of the best, a share by chance, log speed, children each once); search, `cga`,
// or what its authors have beside it: `ga`, the same without constraints, `sa`, annealing, `crand`,
// solutions by chance alone; population, measured, generations, select, kept, keys, share, fresh,
// open; depth, labels, of the trees; spill, code, caches, the limits; plan, early, epsilon, local,
// spare, top, the parts of a plan; scaled, of `sa`; retries. Throws InputError.
std::unique_ptr<Agent> MakeHeronAgent(const AgentContext& context);

}  // namespace schedulegym
