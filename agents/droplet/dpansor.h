// The agent `dpansor`: another agent's search for a while, then droplet from the best it found.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// DPAnsor (Canesche et al., "Explore as a Storm, Exploit as a Raindrop", arXiv 2406.20037).
// Options: mode, `faithful` as published in TVM pull request 16499, with its faults, or `fixed`; k,
// how many trials of a task the first search gets; trials, how many the second, at most; p, the
// level of its test; agent, the spec of the first, by default ansor in the same spirit.
//
// Records of earlier searches count towards k where that agent, or this one, made them: a search
// that is called again goes on where it ended, and one that had its k goes straight to the descent.
// Where the budget, if known, has no room for k trials of every task, k shrinks. Throws InputError.
std::unique_ptr<Agent> MakeDpansorAgent(const AgentContext& context);

}  // namespace schedulegym
