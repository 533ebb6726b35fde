// The agents `droplet` and `dpansor`: coordinate descent over the knobs of a schedule.
#pragma once

#include <memory>

#include "agents/agent.h"

namespace schedulegym {

// Droplet Search (Canesche, Rosario, Borin, Pereira; ACM TACO 2024). Options: mode, `faithful` as
// in AutoTVM (TVM 0.13 to 0.19), or `fixed`, which skips points that the space refuses; p, the
// level of its test; speculate, whether steps grow without improvement; sketch, a position among
// the space's sketches, or all of them in turn. Throws InputError.
std::unique_ptr<Agent> MakeDropletAgent(const AgentContext& context);

// DPAnsor (Canesche et al., "Explore as a Storm, Exploit as a Raindrop", arXiv 2406.20037).
// Options: mode, `faithful` as in TVM pull request 16499, with its faults, or `fixed`; k, the
// trials of a task for the first search; trials, the maximum for the second; p, the level of its
// test; agent, the first search (default: ansor, mode=faithful if this one is).
//
// Records of earlier searches by that agent or this one count towards k. A repeated search thus
// continues where it ended, and starts the descent at once after k trials. If the budget is known
// and too small for k trials of every task, k shrinks. Throws InputError.
std::unique_ptr<Agent> MakeDpansorAgent(const AgentContext& context);

}  // namespace schedulegym
