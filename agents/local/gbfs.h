// The agent `gbfs`: greedy best-first search over moves of factors between the levels of tiles.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// G-BFS (Zhang, Cheng, Zang and Park, "Compiler-level matrix multiplication optimization for deep
// learning", arXiv 1909.10616, 2019). Options: mode, `faithful` or `improved`; rho, moves that are
// drawn of a place; start, `origin` or `random`; others, whether knobs that are no tiles move, too;
// queue, whether a place `stays` until its moves are used up, and failures are not taken, or is
// taken `once`; restart, trials without a gain after which it begins anew (0: never); retries.
// Throws InputError.
std::unique_ptr<Agent> MakeGbfsAgent(const AgentContext& context);

}  // namespace schedulegym
