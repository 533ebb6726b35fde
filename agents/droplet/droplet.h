// The agents `droplet` and `dpansor`: coordinate descent over the knobs of a schedule.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// Droplet Search (Canesche, Rosario, Borin, Pereira; ACM TACO 2024). Options: mode, `faithful` as
// AutoTVM has it (TVM 0.13 to 0.19) or `fixed`, which measures nothing that the space refuses; p,
// the level of its test; speculate, whether steps grow where nothing improves; sketch, a position
// among the space's sketches, or all of them in turn. Throws InputError.
std::unique_ptr<Agent> MakeDropletAgent(const AgentContext& context);

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
