// The agent `adatune`: annealing over the improvement that a random forest expects.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// AdaTune (Li, Zhang, Wang and Li, "AdaTune: adaptive tensor program compilation made efficient",
// NeurIPS 2020), without its evaluator, which is a rule of measuring. Options: mode, `faithful` or
// `improved` (log speed, the mean of more trees, a fixed share by chance, small plans and
// neighbours as autotvm has them); model, `forest`, whose options are trees, columns, acquire,
// contextual, bounded and labels, or `rank`; plan, early, epsilon, local, spare; chains, steps,
// patience, persistent; retries. Throws InputError.
std::unique_ptr<Agent> MakeAdatuneAgent(const AgentContext& context);

}  // namespace schedulegym
